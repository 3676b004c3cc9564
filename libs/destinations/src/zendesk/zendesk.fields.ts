import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Id of the user of a group. The traits of a group belong to the organization. */
export const MEMBER_ID = ['context.traits.userId', 'context.traits.id', 'userId'];

/** https://developer.zendesk.com/api-reference/ticketing/users/users/ */
const USER: kit.Mapping = {
  email: kit.trait('email'),
  phone: kit.trait('phone'),
  alias: kit.trait('alias'),
  details: kit.trait('details'),
  notes: kit.trait('notes'),
  time_zone: kit.trait('timeZone', 'timezone', 'time_zone'),
  external_id: { from: [...kit.trait('userId', 'id'), 'userId'], as: kit.toText },
};
const NAMES = ['name', 'firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name'];

/** https://developer.zendesk.com/api-reference/ticketing/organizations/organizations/ */
const ORGANIZATION: kit.Mapping = {
  name: { from: 'name', required: true },
  domain_names: ['domainNames', 'domain_names'],
  details: 'details',
  notes: 'notes',
  tags: 'tags',
};

/** Traits without an attribute become custom fields with one value each. */
const fieldsOf = (id: unknown, traits: JsonObject, named: Iterable<string>): JsonObject =>
  kit.compact({ id, ...kit.pick(kit.omit(traits, named), (value) => typeof value !== 'object') });

export function userOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.mergedTraits(event);
  const user = kit.mapFields(event, USER);
  return {
    name: kit.fullName(traits) ?? kit.refuse('traits.name is required'),
    ...user,
    user_fields: fieldsOf(user['external_id'], traits, [...NAMES, ...kit.keysRead(USER, 'traits'), 'anonymousId']),
    ...(kit.isOn(config, 'createUsersAsVerified') && { verified: true }),
  };
}

export function organizationOf(event: JsonObject): JsonObject {
  const external_id = kit.textAt(event, 'groupId') ?? kit.refuse('groupId is required');
  const traits = isJsonObject(event['traits'])
    ? event['traits']
    : kit.refuse('traits of the organization are required');
  return {
    ...kit.mapFields(traits, ORGANIZATION),
    external_id,
    organization_fields: fieldsOf(external_id, traits, [...kit.keysRead(ORGANIZATION), 'userId']),
  };
}
