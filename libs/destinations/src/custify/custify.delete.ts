import type { JsonObject } from '@weir/contracts';
import { type ApiCall, required } from '../api/api-call.js';
import { deleteByCalls, type KindDeletion } from '../api/api-deletion.js';
import { userIdsOf } from '../api/identifiers.js';

/** https://docs.custify.com, Delete person. */
export const custifyDeletion: KindDeletion = {
  deletionUsersMax: 1,
  deletionIdentifiers: ['userId'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(
      outbound,
      custifyCalls(config, users),
      { vendor: 'Custify', success: 'complete', isAddressed: true },
      users,
    ),
};

export const custifyCalls = (config: JsonObject, users: JsonObject[]): ApiCall[] =>
  userIdsOf(users).map((userId) => {
    const url = new URL('https://api.custify.com/people');
    url.searchParams.set('user_id', userId);
    return { method: 'DELETE', url: url.href, headers: { authorization: `Bearer ${required(config, 'apiKey')}` } };
  });
