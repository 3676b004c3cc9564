import type { JsonObject } from '@weir/contracts';
import { type ApiCall, basicAuth, pathSegment, required } from '../api/api-call.js';
import { deleteByCalls, type KindDeletion } from '../api/api-deletion.js';
import { identifiersOf } from '../api/identifiers.js';

/**
 * https://docs.customer.io/api/track, Delete a customer. The identifier is an id, an email address, or `cio_` with Customer.io's
 * own id. Does not suppress the user there, because that would outlive a cancelled regulation. Weir blocks the user's events
 * itself.
 */
export const customerioDeletion: KindDeletion = {
  deletionUsersMax: 1,
  deletionIdentifiers: ['userId', 'email', 'cio_id'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(
      outbound,
      customerioCalls(config, users),
      { vendor: 'Customer.io', success: 'complete', isAddressed: true },
      users,
    ),
};

export function customerioCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const host = config['datacenter'] === 'EU' ? 'track-eu.customer.io' : 'track.customer.io';
  const headers = { authorization: basicAuth(required(config, 'siteID'), required(config, 'apiKey')) };
  const own = identifiersOf(users, 'cio_id').map((id) => `cio_${id.replace(/^cio_/, '')}`);
  const ids = [...identifiersOf(users, 'userId'), ...identifiersOf(users, 'email'), ...own];
  return ids.map((id) => ({ method: 'DELETE', url: `https://${host}/api/v1/customers/${pathSegment(id)}`, headers }));
}
