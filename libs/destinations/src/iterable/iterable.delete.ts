import type { JsonObject } from '@weir/contracts';
import { type ApiCall, pathSegment, required } from '../api/api-call.js';
import { deleteByCalls, type KindDeletion } from '../api/api-deletion.js';
import { identifiersOf } from '../api/identifiers.js';

/** https://api.iterable.com/api/docs, Delete user by userId and by email. */
export const iterableDeletion: KindDeletion = {
  deletionUsersMax: 1,
  deletionIdentifiers: ['userId', 'email'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(
      outbound,
      iterableCalls(config, users),
      { vendor: 'Iterable', success: 'complete', isAddressed: true },
      users,
    ),
};

export function iterableCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const host = config['dataCenter'] === 'EUDC' ? 'api.eu.iterable.com' : 'api.iterable.com';
  const headers = { api_key: required(config, 'apiKey') };
  const paths = [
    ...identifiersOf(users, 'userId').map((userId) => `byUserId/${pathSegment(userId)}`),
    ...identifiersOf(users, 'email').map(pathSegment),
  ];
  return paths.map((path) => ({ method: 'DELETE', url: `https://${host}/api/users/${path}`, headers }));
}
