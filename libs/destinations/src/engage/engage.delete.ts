import type { JsonObject } from '@weir/contracts';
import { type ApiCall, basicAuth, pathSegment, required } from '../api/api-call.js';
import { deleteByCalls, type KindDeletion } from '../api/api-deletion.js';
import { userIdsOf } from '../api/identifiers.js';

/** https://engage.so/docs/api/users. A user is addressed by our id. */
export const engageDeletion: KindDeletion = {
  deletionUsersMax: 1,
  deletionIdentifiers: ['userId'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(
      outbound,
      engageCalls(config, users),
      { vendor: 'Engage', success: 'complete', isAddressed: true },
      users,
    ),
};

export function engageCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const headers = { authorization: basicAuth(required(config, 'publicKey'), required(config, 'privateKey')) };
  return userIdsOf(users).map((userId) => ({
    method: 'DELETE',
    url: `https://api.engage.so/v1/users/${pathSegment(userId)}`,
    headers,
  }));
}
