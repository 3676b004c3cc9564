import { AppError, type JsonObject } from '@weir/contracts';
import { type ApiCall, deleteByCall, required, userIdsOf } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

/** https://www.braze.com/docs/api/endpoints/user_data/post_user_delete; the key needs `users.delete`. */
export const braze = apiKind({
  name: 'BRAZE',
  displayName: 'Braze',
  keys: { restApiKey: 'REST API key with users.delete', dataCenter: 'Instance, such as US-03 or EU-01' },
  secretKeys: ['restApiKey'],
  usersMax: 50,
  remove: ({ config, users }, outbound) =>
    deleteByCall(outbound, brazeCall(config, users), { vendor: 'Braze', success: 'complete' }, users),
});

export function brazeCall(config: JsonObject, users: JsonObject[]): ApiCall {
  return {
    method: 'POST',
    url: `https://${hostOf(required(config, 'dataCenter'))}/users/delete`,
    headers: { authorization: `Bearer ${required(config, 'restApiKey')}` },
    body: { external_ids: userIdsOf(users) },
  };
}

/** US-01 to US-08 and the European ones are named after their airports, all others after themselves. */
function hostOf(dataCenter: string): string {
  const [, region, number] = /^([a-z]{2})-(\d{2})$/.exec(dataCenter.toLowerCase()) ?? [];
  if (region === undefined) throw new AppError('invalid', 'dataCenter must be an instance such as US-03');
  if (region === 'eu') return `rest.fra-${number}.braze.eu`;
  if (region === 'us' && Number(number) < 10) return `rest.iad-${number}.braze.com`;
  return `rest.${region}-${number}.braze.com`;
}
