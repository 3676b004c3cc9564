import type { JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** https://api.iterable.com/api/docs, Delete user by userId and by email. */
export const iterableDeletion: KindDeletion = {
  usersMax: 1,
  identifiers: ['userId', 'email'],
  requires: ['apiKey'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(
      outbound,
      iterableCalls(config, users),
      { vendor: 'Iterable', success: 'complete', isAddressed: true },
      users,
    ),
};

function iterableCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const host = config['dataCenter'] === 'EUDC' ? 'api.eu.iterable.com' : 'api.iterable.com';
  const headers = { api_key: required(config, 'apiKey') };
  const paths = [
    ...identifiersOf(users, 'userId').map((userId) => `byUserId/${kit.pathSegment(userId, 'unsupported')}`),
    ...identifiersOf(users, 'email').map((email) => kit.pathSegment(email, 'unsupported')),
  ];
  return paths.map((path) => ({ method: 'DELETE', url: `https://${host}/api/users/${path}`, headers }));
}
