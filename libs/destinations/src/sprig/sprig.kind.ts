import type { JsonObject } from '@weir/contracts';
import { type ApiCall, deleteByCall, required, userIdsOf } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

/** https://docs.sprig.com/reference/post-v2-purge-visitors-1: carried out ten days later by default. */
export const sprig = apiKind({
  name: 'SPRIG',
  displayName: 'Sprig',
  keys: { apiKey: 'API key' },
  secretKeys: ['apiKey'],
  usersMax: 100,
  remove: ({ config, users }, outbound) =>
    deleteByCall(outbound, sprigCall(config, users), { vendor: 'Sprig', success: 'forwarded' }, users),
});

export function sprigCall(config: JsonObject, users: JsonObject[]): ApiCall {
  return {
    method: 'POST',
    url: 'https://api.sprig.com/v2/purge/visitors',
    // Others send `API-Key …`; the documentation says Bearer.
    headers: { authorization: `Bearer ${required(config, 'apiKey')}` },
    body: { userIds: userIdsOf(users) },
  };
}
