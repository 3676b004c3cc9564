import type { JsonObject } from '@weir/contracts';
import { type ApiCall, basicAuth, deleteByCall, required, userIdsOf } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

/** User Privacy API, https://amplitude.com/docs/apis/analytics/user-privacy: jobs run days later. */
export const amplitude = apiKind({
  name: 'AM',
  displayName: 'Amplitude',
  keys: { apiKey: 'API key', apiSecret: 'Secret key, for deletion', residencyServer: '`EU`, or `standard`' },
  secretKeys: ['apiSecret'],
  usersMax: 100,
  remove: ({ config, users }, outbound) =>
    deleteByCall(outbound, amplitudeCall(config, users), { vendor: 'Amplitude', success: 'forwarded' }, users),
});

export function amplitudeCall(config: JsonObject, users: JsonObject[]): ApiCall {
  const host = config['residencyServer'] === 'EU' ? 'analytics.eu.amplitude.com' : 'amplitude.com';
  return {
    method: 'POST',
    url: `https://${host}/api/2/deletions/users`,
    headers: { authorization: basicAuth(required(config, 'apiKey'), required(config, 'apiSecret')) },
    body: {
      user_ids: userIdsOf(users),
      requester: 'Weir',
      // The documentation has both names; without the right one, a user whom it does not know fails all the others.
      ignore_invalid_id: 'true',
      ignore_invalid_ids: 'true',
    },
  };
}
