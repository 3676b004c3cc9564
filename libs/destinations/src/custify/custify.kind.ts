import type { JsonObject } from '@weir/contracts';
import { type ApiCall, deleteByCall, onlyUser, required } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

export const custify = apiKind({
  name: 'CUSTIFY',
  displayName: 'Custify',
  keys: { apiKey: 'API key' },
  secretKeys: ['apiKey'],
  usersMax: 1,
  remove: ({ config, users }, outbound) =>
    deleteByCall(
      outbound,
      custifyCall(config, users),
      { vendor: 'Custify', success: 'complete', isAddressed: true },
      users,
    ),
});

export function custifyCall(config: JsonObject, users: JsonObject[]): ApiCall {
  const url = new URL('https://api.custify.com/people');
  url.searchParams.set('user_id', String(onlyUser(users)['userId']));
  return { method: 'DELETE', url: url.href, headers: { authorization: `Bearer ${required(config, 'apiKey')}` } };
}
