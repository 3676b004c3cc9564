import type { JsonObject } from '@weir/contracts';
import { type ApiCall, required } from '../api/api-call.js';
import { deleteByCall, type KindDeletion } from '../api/api-deletion.js';
import { userIdsOf } from '../api/identifiers.js';

/** Sprig deletes ten days later by default: https://docs.sprig.com/reference/post-v2-purge-visitors-1 */
export const sprigDeletion: KindDeletion = {
  deletionUsersMax: 100,
  deletionIdentifiers: ['userId'],
  delete: async ({ config, users }, outbound) =>
    deleteByCall(outbound, sprigCall(config, users), { vendor: 'Sprig', success: 'forwarded' }, users),
};

export function sprigCall(config: JsonObject, users: JsonObject[]): ApiCall {
  return {
    method: 'POST',
    url: 'https://api.sprig.com/v2/purge/visitors',
    // Other senders use `API-Key …`. The documentation says Bearer.
    headers: { authorization: `Bearer ${required(config, 'apiKey')}` },
    body: { userIds: userIdsOf(users) },
  };
}
