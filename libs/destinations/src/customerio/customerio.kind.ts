import type { JsonObject } from '@weir/contracts';
import { type ApiCall, basicAuth, deleteByCall, onlyUser, pathSegment, required } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

/**
 * https://docs.customer.io/journeys/deleting-users. Deletes without suppressing there: that would outlive a regulation
 * that is cancelled, and Weir holds the user's events back itself.
 */
export const customerio = apiKind({
  name: 'CUSTOMERIO',
  displayName: 'Customer.io',
  keys: { siteID: 'Site id', apiKey: 'Track API key', datacenter: '`US` or `EU`' },
  secretKeys: ['apiKey'],
  usersMax: 1,
  remove: ({ config, users }, outbound) =>
    deleteByCall(
      outbound,
      customerioCall(config, users),
      { vendor: 'Customer.io', success: 'complete', isAddressed: true },
      users,
    ),
});

export function customerioCall(config: JsonObject, users: JsonObject[]): ApiCall {
  const host = config['datacenter'] === 'EU' ? 'track-eu.customer.io' : 'track.customer.io';
  return {
    method: 'DELETE',
    url: `https://${host}/api/v1/customers/${pathSegment(String(onlyUser(users)['userId']))}`,
    headers: { authorization: basicAuth(required(config, 'siteID'), required(config, 'apiKey')) },
  };
}
