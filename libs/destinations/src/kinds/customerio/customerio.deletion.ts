import type { JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/**
 * https://docs.customer.io/api/track, Delete a customer. The identifier is an id, an email address, or `cio_` with Customer.io's
 * own id. Does not suppress the user there, because that would outlive a cancelled regulation. Weir blocks the user's events
 * itself.
 */
export const customerioDeletion: KindDeletion = {
  usersMax: 1,
  identifiers: ['userId', 'email', 'cio_id'],
  requires: ['siteID', 'apiKey'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(
      outbound,
      customerioCalls(config, users),
      { vendor: 'Customer.io', success: 'complete', isAddressed: true },
      users,
    ),
};

function customerioCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const host = config['datacenter'] === 'EU' ? 'track-eu.customer.io' : 'track.customer.io';
  const headers = kit.basicAuth(required(config, 'siteID'), required(config, 'apiKey'));
  const own = identifiersOf(users, 'cio_id').map((id) => `cio_${id.replace(/^cio_/, '')}`);
  const ids = [...identifiersOf(users, 'userId'), ...identifiersOf(users, 'email'), ...own];
  return ids.map((id) => ({
    method: 'DELETE',
    url: `https://${host}/api/v1/customers/${kit.pathSegment(id, 'unsupported')}`,
    headers,
  }));
}
