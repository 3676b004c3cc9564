import type { JsonObject } from '@weir/contracts';
import { type ApiCall, deleteByCall, onlyUser, pathSegment, required } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

export const iterable = apiKind({
  name: 'ITERABLE',
  displayName: 'Iterable',
  keys: { apiKey: 'Server-side API key', dataCenter: '`USDC` or `EUDC`' },
  secretKeys: ['apiKey'],
  usersMax: 1,
  remove: ({ config, users }, outbound) =>
    deleteByCall(
      outbound,
      iterableCall(config, users),
      { vendor: 'Iterable', success: 'complete', isAddressed: true },
      users,
    ),
});

export function iterableCall(config: JsonObject, users: JsonObject[]): ApiCall {
  const host = config['dataCenter'] === 'EUDC' ? 'api.eu.iterable.com' : 'api.iterable.com';
  return {
    method: 'DELETE',
    url: `https://${host}/api/users/byUserId/${pathSegment(String(onlyUser(users)['userId']))}`,
    headers: { api_key: required(config, 'apiKey') },
  };
}
