import type { JsonObject } from '@weir/contracts';
import { type Call, callsFor, isTaken } from '../follow-up.js';
import type { DeliveryResult, DestinationKind, Payload } from '../kind.js';
import { sendPayload } from '../send-payload.js';
import * as kit from '../toolkit/index.js';
import { makeFields } from './zendesk.custom-fields.js';

/** Creates custom fields, then makes the calls that need Zendesk's ids. A response that stops this early is the result. */
export const zendeskDeliver: NonNullable<DestinationKind['deliver']> = async (payload, config, outbound, options) => {
  const base = payload.endpoint.replace(/(\/api\/v2)\/.*/, '$1');
  const call = callsFor(payload, base, outbound, options);
  const { user, organization } = payload.body.JSON;
  if (user) return deliverUser(call, payload, config, base);
  return organization ? deliverOrganization(call, payload, base) : sendPayload(payload, outbound, options);
};

const accountOf = (base: string, { headers }: Payload) => `${base} ${headers['authorization']}`;

async function deliverUser(call: Call, payload: Payload, config: JsonObject, base: string): Promise<DeliveryResult> {
  const { user } = payload.body.JSON;
  const wanted = Object.keys(kit.objectAt(user, 'user_fields'));
  const failure = await makeFields(call, 'user', wanted, accountOf(base, payload));
  const made = failure ?? (await call('POST', 'users/create_or_update.json', { user }));
  const id = kit.textAt(made.response, 'user.id');
  if (!isTaken(made) || !id) return made;
  const email = kit.textAt(user, 'email');
  const primary = email && kit.isOn(config, 'searchByExternalId') ? await makePrimary(call, id, email) : made;
  const { left_organization_id: left } = payload.params;
  return isTaken(primary) && left ? leave(call, id, String(left), primary) : primary;
}

/**
 * A new address of a known user starts as a secondary one:
 * https://developer.zendesk.com/api-reference/ticketing/users/user_identities/
 */
async function makePrimary(call: Call, id: string, email: string): Promise<DeliveryResult> {
  const list = await call('GET', `users/${id}/identities.json`);
  const own = entriesOf(list, 'identities').find(
    ({ type, value }) => type === 'email' && String(value).toLowerCase() === email.toLowerCase(),
  );
  if (!isTaken(list) || !own || own['primary'] === true) return list;
  return call('PUT', `users/${id}/identities/${own['id']}/make_primary.json`);
}

async function leave(call: Call, id: string, left: string, before: DeliveryResult): Promise<DeliveryResult> {
  const list = await call('GET', `users/${id}/organization_memberships.json`);
  if (!isTaken(list)) return list;
  const membership = entriesOf(list, 'organization_memberships').find((one) => String(one['organization_id']) === left);
  return membership ? call('DELETE', `organization_memberships/${membership['id']}.json`) : before;
}

async function deliverOrganization(call: Call, payload: Payload, base: string): Promise<DeliveryResult> {
  const { organization } = payload.body.JSON;
  const wanted = Object.keys(kit.objectAt(organization, 'organization_fields'));
  const failure = await makeFields(call, 'organization', wanted, accountOf(base, payload));
  const made = failure ?? (await call('POST', 'organizations/create_or_update.json', { organization }));
  const organization_id = kit.valueAt(made.response, 'organization.id');
  if (!isTaken(made) || !organization_id || kit.isEmpty(payload.params)) return made;
  const found = await member(call, payload.params);
  const user_id = kit.firstAt(found.response, ['users.0.id', 'user.id']);
  if (!isTaken(found)) return found;
  return user_id ? join(call, user_id, organization_id) : made;
}

async function join(call: Call, user_id: unknown, organization_id: unknown): Promise<DeliveryResult> {
  const list = await call('GET', `users/${user_id}/organization_memberships.json`);
  const memberships = entriesOf(list, 'organization_memberships');
  if (!isTaken(list) || memberships.some((one) => one['organization_id'] === organization_id)) return list;
  return call('POST', 'organization_memberships.json', { organization_membership: { user_id, organization_id } });
}

/** Finds the user by e-mail or by our id. Otherwise creates one if there is a name, which Zendesk requires. */
async function member(call: Call, { email, external_id, name }: JsonObject): Promise<DeliveryResult> {
  const query = new URLSearchParams(email ? { query: `email:${email}` } : { external_id: String(external_id) });
  const found = await call('GET', `users/search.json?${query}`);
  if (!isTaken(found) || !name || entriesOf(found, 'users').length > 0) return found;
  return call('POST', 'users/create_or_update.json', { user: kit.compact({ name, email, external_id }) });
}

const entriesOf = ({ response }: DeliveryResult, path: string): JsonObject[] => {
  const list = kit.valueAt(response, path);
  return Array.isArray(list) ? list : [];
};
