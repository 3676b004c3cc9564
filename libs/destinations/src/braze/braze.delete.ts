import type { JsonObject } from '@weir/contracts';
import { type ApiCall, required } from '../api/api-call.js';
import { deleteByCalls, type KindDeletion } from '../api/api-deletion.js';
import { identifiersOf } from '../api/identifiers.js';
import { brazeHost } from './braze.host.js';

/** If several profiles share an address: the one without an external id, otherwise the latest. */
const PRIORITIZATION = ['unidentified', 'most_recently_updated'];

/** https://www.braze.com/docs/api/endpoints/user_data/post_user_delete. The key needs `users.delete`. */
export const brazeDeletion: KindDeletion = {
  deletionUsersMax: 50,
  deletionIdentifiers: ['userId', 'braze_id', 'email'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(outbound, brazeCalls(config, users), { vendor: 'Braze', success: 'complete' }, users),
};

/** A request takes one type of identifier only. */
export function brazeCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const emails = identifiersOf(users, 'email').map((email) => ({ email, prioritization: PRIORITIZATION }));
  const lists: [string, unknown[]][] = [
    ['external_ids', identifiersOf(users, 'userId')],
    ['braze_ids', identifiersOf(users, 'braze_id')],
    ['email_addresses', emails],
  ];
  const url = `https://${brazeHost(required(config, 'dataCenter'))}/users/delete`;
  const headers = { authorization: `Bearer ${required(config, 'restApiKey')}` };
  return lists
    .filter(([, ids]) => ids.length > 0)
    .map(([key, ids]) => ({ method: 'POST', url, headers, body: { [key]: ids } }));
}
