import type { JsonObject } from '@weir/contracts';
import { type Call, callsFor, isTaken } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { makeFields } from './zendesk.fields.js';

/** Creates custom fields, then makes the calls that need Zendesk's ids. A response that stops this early is the result. */
export const zendeskDeliver: NonNullable<DestinationKind['deliver']> = async (payload, config, outbound, options) => {
  const base = payload.endpoint.replace(/(\/api\/v2)\/.*/, '$1');
  const call = callsFor(payload, base, outbound, options);
  const { user, organization } = payload.body.JSON;
  if (user) return deliverUser(call, payload, config, base);
  return organization ? deliverOrganization(call, payload, base) : deliverEvent(call, payload);
};

/** An event of a known user goes to that user, so that no second one with the address is made. */
async function deliverEvent(call: Call, { params, body }: Payload): Promise<DeliveryResult> {
  const found = await member(call, params);
  if (!isTaken(found)) return found;
  const id = userId(found);
  return call('POST', id ? `users/${id}/events` : 'user_profiles/events', body.JSON);
}

/** The id of a user who was found or made. */
const userId = ({ response }: DeliveryResult) => kit.firstAt(response, ['users.0.id', 'user.id']);

const accountOf = (base: string, { headers }: Payload) => `${base} ${headers['authorization']}`;

async function deliverUser(call: Call, payload: Payload, config: JsonObject, base: string): Promise<DeliveryResult> {
  const { user } = payload.body.JSON;
  const wanted = Object.keys(kit.objectAt(user, 'user_fields'));
  const failure = await makeFields(call, 'user', wanted, accountOf(base, payload));
  const made = failure ?? (await call('POST', 'users/create_or_update.json', { user }));
  const id = kit.textAt(made.response, 'user.id');
  if (!isTaken(made) || !id) return made;
  const email = kit.textAt(user, 'email');
  const primary =
    email && kit.isOn(config, 'searchByExternalId') ? await makePrimary(call, id, email, config, made) : made;
  const { left_organization_id: left } = payload.params;
  return isTaken(primary) && left ? leave(call, id, String(left), primary) : primary;
}

/**
 * The address becomes the primary one in place of the former. Where it is a secondary one already, that is deleted first:
 * https://developer.zendesk.com/api-reference/ticketing/users/user_identities/
 */
async function makePrimary(call: Call, id: string, email: string, config: JsonObject, before: DeliveryResult) {
  const list = await call('GET', `users/${id}/identities.json`);
  if (!isTaken(list)) return isBusy(list) ? list : before;
  const emails = entriesOf(list, 'identities').filter(({ type }) => type === 'email');
  const isOwn = ({ value }: JsonObject) => String(value).toLowerCase() === email.toLowerCase();
  const second = emails.find((one) => isOwn(one) && one['primary'] !== true);
  const former = emails.find((one) => !isOwn(one) && one['primary'] === true);
  if (!former) return before;
  const deleted = second ? await call('DELETE', `users/${id}/identities/${second['id']}.json`) : before;
  if (!isTaken(deleted)) return deleted;
  const identity = { type: 'email', value: email, verified: kit.isOn(config, 'createUsersAsVerified') };
  return call('PUT', `users/${id}/identities/${former['id']}.json`, { identity });
}

/** Asking again may help. */
const isBusy = ({ status }: DeliveryResult) => status === 429 || status >= 500;

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
  const user_id = userId(found);
  if (!isTaken(found)) return found;
  return user_id ? join(call, user_id, organization_id) : NO_MEMBER;
}

/** The organization is there, and the sender learns why it has no member. */
const NO_MEMBER: DeliveryResult = {
  status: 400,
  response: 'The user was not found, and cannot be made without a name',
};

async function join(call: Call, user_id: unknown, organization_id: unknown): Promise<DeliveryResult> {
  const list = await call('GET', `users/${user_id}/organization_memberships.json`);
  const memberships = entriesOf(list, 'organization_memberships');
  if (!isTaken(list) || memberships.some((one) => one['organization_id'] === organization_id)) return list;
  return call('POST', 'organization_memberships.json', { organization_membership: { user_id, organization_id } });
}

/** Finds the user by e-mail or by our id. Otherwise creates one if there is a name, which Zendesk requires. */
async function member(call: Call, { email, external_id, name, verified }: JsonObject): Promise<DeliveryResult> {
  const query = new URLSearchParams(email ? { query: `email:${email}` } : { external_id: String(external_id) });
  const found = await call('GET', `users/search.json?${query}`);
  if (!isTaken(found) || !name || entriesOf(found, 'users').length > 0) return found;
  return call('POST', 'users/create_or_update.json', { user: kit.compact({ name, email, external_id, verified }) });
}

const entriesOf = ({ response }: DeliveryResult, path: string): JsonObject[] => {
  const list = kit.valueAt(response, path);
  return Array.isArray(list) ? list : [];
};
