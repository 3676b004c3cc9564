import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** A contact of API 2: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts */
export const CONTACT: kit.Mapping = {
  phone: kit.PHONE,
  avatar: ['avatar', 'avatarURL', 'avatar_URL'].flatMap((name) => kit.trait(name)),
  role: kit.trait('role'),
  owner_id: { from: kit.trait('ownerId'), as: [kit.toNumber, (id) => id || undefined] },
  signed_up_at: { from: kit.CREATED_AT, as: kit.toUnixSeconds },
  last_seen_at: { from: 'context.traits.lastSeenAt', as: kit.toUnixSeconds },
};

/** A user of API 1: https://developers.intercom.com/docs/references/1.4/rest-api/users/create-or-update-user */
export const USER: kit.Mapping = {
  phone: kit.PHONE,
  signed_up_at: { from: kit.CREATED_AT, as: kit.toUnixSeconds },
  last_seen_user_agent: 'context.userAgent',
};

/** A company of a group: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/companies */
const COMPANY: kit.Mapping = {
  name: kit.FULL_NAME,
  website: [...kit.trait('website'), 'properties.website'],
  plan: kit.trait('plan'),
  size: { from: kit.trait('size'), as: kit.toNumber },
  industry: kit.trait('industry'),
  monthly_spend: { from: kit.trait('monthlySpend'), as: kit.toNumber },
  remote_created_at: { from: kit.trait('remoteCreatedAt'), as: (at) => kit.toNumber(at) ?? kit.toUnixSeconds(at) },
};

const PERSON = ['userId', 'email', 'phone', 'name', 'createdAt', 'firstName', 'lastName', 'firstname', 'lastname'];
/** Traits that are not custom attributes, by API version. */
const NAMED = {
  user: [...PERSON, 'company'],
  contact: [
    ...[...PERSON, 'company', 'role', 'avatar', 'ownerId', 'timestamp', 'lastSeenAt', 'originalTimestamp'],
    'unsubscribedFromEmails',
  ],
  userCompany: ['remoteCreatedAt', 'monthlySpend', 'industry', 'website', 'size', 'plan', 'name', 'userId'],
  contactCompany: [
    ...['tags', 'size', 'plan', 'name', 'email', 'userId', 'website', 'industry', 'segments', 'userCount', 'createdAt'],
    ...['sessionCount', 'monthlySpend', 'remoteCreatedAt'],
  ],
};

/** The attribute by which a contact is searched, as `integrations.Intercom.lookup` names it. */
export const lookupOf = (event: JsonObject): string =>
  kit.textAt(kit.integrationOptions(event, 'intercom'), 'lookup') ?? 'email';

/** Custom attributes: all other traits, flattened to one level. `separator` stands between their keys. */
export function customOf(
  owner: keyof typeof NAMED,
  event: JsonObject,
  traits: JsonObject,
  separator: string,
): JsonObject {
  const lookup = lookupOf(event);
  const isKept = owner === 'userCompany' && lookup === 'email';
  return kit.flatten(kit.omit(traits, [...NAMED[owner], ...(isKept ? [] : [lookup])]), { separator });
}

/** The traits of the event, or those of its context if it has none. */
export const traitsOf = (event: JsonObject): JsonObject =>
  isJsonObject(event['traits']) ? event['traits'] : kit.objectAt(event, 'context.traits');

/**
 * Who an event is about. `id` is the key of the id, which the API versions name differently. An external id counts if it is an
 * e-mail address. Refuses an unknown user.
 */
export function identityOf(id: 'user_id' | 'external_id', event: JsonObject, config: JsonObject): JsonObject {
  const known = kit.compact({ [id]: userIdOf(event, config), email: emailOf(event) });
  return kit.isEmpty(known) ? kit.refuse('userId or traits.email is required') : known;
}

/** The e-mail of a trait, or an external id that is one. */
export function emailOf(event: JsonObject): string | undefined {
  const linked = kit.textAt(event, 'context.externalId.0.id');
  return kit.textAt(event, kit.EMAIL) ?? (linked && kit.isEmail(linked) ? linked : undefined);
}

/** The anonymous id counts only if the configuration says so. */
export const userIdOf = (event: JsonObject, config: JsonObject): string | undefined =>
  kit.textAt(event, kit.isOn(config, 'sendAnonymousId') ? kit.USER_ID : kit.KNOWN_USER_ID);

/** The traits of a reverse sync with their id. They are already attributes of Intercom. */
export function mappedTraits(event: JsonObject): JsonObject | undefined {
  if (!kit.valueAt(event, 'context.mappedToDestination')) return undefined;
  const type = kit.textAt(event, 'context.externalId.0.identifierType');
  const id = kit.textAt(event, 'context.externalId.0.id');
  return type && id ? kit.merged(traitsOf(event), { [type]: id }) : undefined;
}

/** The company of a group. Custom attributes are `custom`. */
export function companyOf(event: JsonObject, company_id: string, custom: JsonObject): JsonObject {
  return { company_id, ...kit.mapFields(event, COMPANY), ...kit.withoutEmpty({ custom_attributes: custom }) };
}

/** The names under `context.traits.tags`, which a company gets. */
export function tagsOf(event: JsonObject): JsonObject {
  const tags = kit.valueAt(event, 'context.traits.tags');
  return kit.withoutEmpty({ tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string' && tag) : [] });
}

/** The body of `POST /events`. The key of its time depends on the API version. */
export function eventOf(event: JsonObject, config: JsonObject, timeKey: 'created' | 'created_at'): JsonObject {
  const event_name = kit.eventName(event);
  const own = timeKey === 'created_at' ? { id: kit.onlyId(kit.firstAt(event, ['properties.id', 'traits.id'])) } : {};
  return {
    ...identityOf('user_id', event, config),
    event_name,
    ...kit.compact({ [timeKey]: kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP)), ...own }),
    ...kit.withoutEmpty({ metadata: metadataOf(kit.objectAt(event, 'properties')) }),
  };
}

/**
 * Intercom stores money amounts and named links as objects:
 * https://developers.intercom.com/docs/references/1.4/rest-api/events/event-metadata-types
 */
const isRich = (value: unknown) =>
  isJsonObject(value) && (('amount' in value && 'currency' in value) || ('url' in value && 'value' in value));

function metadataOf(properties: JsonObject): JsonObject {
  const rich = kit.pick(properties, isRich);
  return kit.merged(rich, kit.flatten(kit.omit(properties, Object.keys(rich))));
}

const HOSTS = new Map<unknown, string>([
  ['eu', 'api.eu.intercom.io'],
  ['au', 'api.au.intercom.io'],
]);
export const API_VERSION = '2.10';

/** The API address of the workspace's region. */
export const originOf = ({ apiServer }: JsonObject) => `https://${HOSTS.get(apiServer) ?? 'api.intercom.io'}`;
