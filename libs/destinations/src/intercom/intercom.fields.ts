import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** A contact of API 2: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts */
export const CONTACT: kit.Mapping = {
  email: kit.trait('email'),
  phone: kit.trait('phone'),
  avatar: kit.trait('avatar'),
  owner_id: { from: kit.trait('ownerId', 'owner_id'), as: kit.toNumber },
  signed_up_at: { from: kit.trait('createdAt'), as: kit.toUnixSeconds },
  last_seen_at: { from: kit.trait('lastSeenAt'), as: kit.toUnixSeconds },
  unsubscribed_from_emails: { from: kit.trait('unsubscribedFromEmails'), as: kit.toBoolean },
};

/** A user of API 1: https://developers.intercom.com/docs/references/1.4/rest-api/users/create-or-update-user */
export const USER: kit.Mapping = {
  email: kit.trait('email'),
  phone: kit.trait('phone'),
  signed_up_at: { from: kit.trait('createdAt'), as: kit.toUnixSeconds },
  last_seen_user_agent: 'context.userAgent',
};

/** Company attributes from the traits of a group, or from `traits.company`. */
export const COMPANY: kit.Mapping = {
  name: 'name',
  website: 'website',
  plan: 'plan',
  size: { from: 'size', as: kit.toInteger },
  industry: 'industry',
  monthly_spend: { from: ['monthlySpend', 'monthly_spend'], as: kit.toNumber },
  remote_created_at: { from: ['remoteCreatedAt', 'remote_created_at'], as: kit.toUnixSeconds },
};

const NAMES = ['name', 'firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name'];
const IDS = ['userId', 'id', 'external_id'];

const namesRead = (mapping: kit.Mapping) => [...NAMES, ...IDS, ...kit.keysRead(mapping, 'traits'), 'company'];

/** Custom attributes of a person: all other traits, flattened to one level. */
export const customOf = (traits: JsonObject, mapping: kit.Mapping): JsonObject =>
  kit.flatten(kit.omit(traits, namesRead(mapping)));

/** Custom attributes of a company: all other traits. */
export const companyCustomOf = (traits: JsonObject): JsonObject =>
  kit.omit(traits, [...kit.keysRead(COMPANY), 'id', 'userId', 'remove']);

/** The id for `user_id` or `external_id`. Includes the anonymous id only if the configuration enables it. */
export function userIdOf(event: JsonObject, config: JsonObject): string | undefined {
  const anonymous = kit.isOn(config, 'sendAnonymousId') ? ['anonymousId'] : [];
  return kit.textAt(event, [...kit.KNOWN_USER_ID, ...kit.trait('external_id'), ...anonymous]);
}

/** The id given by a reverse sync. The traits of such an event are already attributes. */
export function mappedId(event: JsonObject): [type: string, id: string] | undefined {
  if (!kit.valueAt(event, 'context.mappedToDestination')) return undefined;
  const type = kit.textAt(event, 'context.externalId.0.identifierType');
  const id = kit.textAt(event, 'context.externalId.0.id');
  return type && id ? [type, id] : undefined;
}
