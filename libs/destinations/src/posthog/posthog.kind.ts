import { AppError, type JsonObject } from '@weir/contracts';
import { type ApiCall, deleteByCall, pathSegment, required, userIdsOf } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

/** Persons are deleted at once, their events and recordings by a weekly job: https://posthog.com/docs/api/persons */
export const posthog = apiKind({
  name: 'POSTHOG',
  displayName: 'PostHog',
  keys: {
    yourInstance: 'Address, such as https://us.i.posthog.com',
    projectId: 'Project id, for deletion',
    personalApiKey: 'Personal API key with person:write, for deletion',
  },
  secretKeys: ['personalApiKey'],
  addressKeys: ['yourInstance'],
  usersMax: 100,
  remove: ({ config, users }, outbound) =>
    deleteByCall(outbound, posthogCall(config, users), { vendor: 'PostHog', success: 'forwarded' }, users),
});

export function posthogCall(config: JsonObject, users: JsonObject[]): ApiCall {
  return {
    method: 'POST',
    url: `${apiOrigin(required(config, 'yourInstance'))}/api/projects/${pathSegment(required(config, 'projectId'))}/persons/bulk_delete/`,
    headers: { authorization: `Bearer ${required(config, 'personalApiKey')}` },
    body: { distinct_ids: userIdsOf(users), delete_events: true, delete_recordings: true },
  };
}

/** The cloud takes events at `us.i.posthog.com` and has its API at `us.posthog.com`. */
function apiOrigin(address: string): string {
  const url = URL.parse(/^https?:\/\//.test(address) ? address : `https://${address}`);
  if (url === null) throw new AppError('invalid', 'yourInstance must be an address');
  url.hostname = url.hostname.replace(/^(app|us|eu)\.i\.posthog\.com$/, '$1.posthog.com');
  return url.origin;
}
