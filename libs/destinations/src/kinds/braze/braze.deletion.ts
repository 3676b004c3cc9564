import { AppError, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';

/** If several profiles share an address: the one without an external id, otherwise the latest. */
const PRIORITIZATION = ['unidentified', 'most_recently_updated'];

/** https://www.braze.com/docs/api/endpoints/user_data/post_user_delete. The key needs `users.delete`. */
export const brazeDeletion: KindDeletion = {
  usersMax: 50,
  identifiers: ['userId', 'braze_id', 'email'],
  requires: ['dataCenter', 'restApiKey'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(outbound, brazeCalls(config, users), { vendor: 'Braze', success: 'complete' }, users),
};

/** A request takes one type of identifier only. */
function brazeCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
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

/** Instances of https://www.braze.com/docs/api/basics: American and European ones are named after airports up to US-08. */
export function brazeHost(dataCenter: string): string {
  const [, region, number] = /^(us|eu|au|id|jp)-(\d{1,4})$/.exec(dataCenter.trim().toLowerCase()) ?? [];
  if (region === undefined) throw new AppError('invalid', 'dataCenter must be an instance such as US-03');
  if (region === 'eu') return `rest.fra-${number}.braze.eu`;
  if (region === 'us' && Number(number) < 10) return `rest.iad-${number}.braze.com`;
  return `rest.${region}-${number}.braze.com`;
}
