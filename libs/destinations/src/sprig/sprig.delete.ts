import type { JsonObject } from '@weir/contracts';
import { type ApiCall, required } from '../api/api-call.js';
import { deleteByCall, type KindDeletion } from '../api/api-deletion.js';
import { userIdsOf } from '../api/identifiers.js';

/** https://docs.sprig.com/reference/post-v2-purge-visitors-1: carried out ten days later by default. */
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
    // Others send `API-Key …`; the documentation says Bearer.
    headers: { authorization: `Bearer ${required(config, 'apiKey')}` },
    body: { userIds: userIdsOf(users) },
  };
}
