import type { JsonObject } from '@weir/contracts';
import { type ApiCall, basicAuth, deleteByCall, onlyUser, pathSegment, required } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

export const engage = apiKind({
  name: 'ENGAGE',
  displayName: 'Engage',
  keys: { publicKey: 'Public key', privateKey: 'Private key' },
  secretKeys: ['privateKey'],
  usersMax: 1,
  remove: ({ config, users }, outbound) =>
    deleteByCall(
      outbound,
      engageCall(config, users),
      { vendor: 'Engage', success: 'complete', isAddressed: true },
      users,
    ),
});

export function engageCall(config: JsonObject, users: JsonObject[]): ApiCall {
  return {
    method: 'DELETE',
    url: `https://api.engage.so/v1/users/${pathSegment(String(onlyUser(users)['userId']))}`,
    headers: { authorization: basicAuth(required(config, 'publicKey'), required(config, 'privateKey')) },
  };
}
