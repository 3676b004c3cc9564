import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

const USER_ID: kit.Rule = { from: kit.USER_ID, as: kit.toText };
/** A user's address is a trait. That of an event may be a property, and is not a trait of the event. */
const USER: kit.Mapping = { email: { from: kit.TRAIT_EMAIL, as: kit.toText }, userId: USER_ID };
const PERSON: kit.Mapping = {
  email: { from: ['properties.email', 'context.traits.email'], as: kit.toText },
  userId: USER_ID,
};

const required = (person: JsonObject): JsonObject =>
  kit.isEmpty(person) ? kit.refuse('userId or email is required') : person;

/** The person of an event. */
export const personOf = (event: JsonObject): JsonObject => required(kit.mapFields(event, PERSON));

/** Iterable's id of a campaign or a template. The number 0 stands for none, the text `0` is an id, and null is no number. */
function sentBy(event: JsonObject, key: 'campaignId' | 'templateId'): JsonObject {
  const value = kit.firstAt(event, `properties.${key}`);
  return value ? { [key]: kit.leadingInteger(value) ?? null } : {};
}

/** The time of a user comes first, because reports of other implementations depend on it. */
const CREATED_AT = [...kit.CREATED_AT, ...kit.TIMESTAMP];

/** The fields that events and purchases have in common. */
export function eventOf(event: JsonObject): JsonObject {
  const createdAt = kit.firstAt(event, CREATED_AT);
  return {
    dataFields: kit.onlyObject(event['properties']),
    ...sentBy(event, 'campaignId'),
    ...sentBy(event, 'templateId'),
    // A number is in milliseconds already. Null leaves the time to Iterable, as existing senders do.
    createdAt: typeof createdAt === 'number' ? createdAt : (kit.toUnixMillis(createdAt) ?? null),
  };
}

/** A user with all traits, whether updated or named by a purchase or a cart. */
export function userOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.givenTraits(event);
  return {
    ...required(kit.mapFields(event, USER)),
    ...(traits && { dataFields: traits }),
    ...setting(config, 'preferUserId'),
    ...setting(config, 'mergeNestedObjects'),
  };
}

/** On, unless the configuration says otherwise. Null leaves the decision to Iterable. */
const setting = (config: JsonObject, key: string): JsonObject =>
  kit.compact({ [key]: config[key] === undefined ? true : config[key] });

const PLATFORMS = { apple: 'APNS', android: 'GCM' };

/** A device comes before a browser. Iterable registers one token with a call. */
export function registrationOf(event: JsonObject, config: JsonObject): { path: string; body: JsonObject } | undefined {
  const person = kit.mapFields(event, USER);
  const token = kit.onlyId(kit.firstAt(event, 'context.device.token'));
  if (token !== undefined) {
    const applicationName =
      kit.firstAt(event, 'context.device.name') ?? (kit.configText(config, 'packageName') || undefined);
    const platform = PLATFORMS[kit.deviceFamily(event, ['context.device.type']) ?? 'android'];
    const device = kit.compact({ token, platform, applicationName, dataFields: event['properties'] });
    return { path: 'users/registerDeviceToken', body: { ...person, ...setting(config, 'preferUserId'), device } };
  }
  const browserToken = kit.onlyId(kit.firstAt(event, 'context.os.token'));
  return browserToken === undefined
    ? undefined
    : { path: 'users/registerBrowserToken', body: { ...person, browserToken } };
}

/** The result for a record of a reverse ETL source: a user, or an item of the catalog `type`. */
export interface Mapped {
  type: string;
  id?: unknown;
  event: JsonObject;
}

/** The last external id of a type such as `ITERABLE-users` says what a mapped record is. Other events are about users. */
export function mappedBy(event: JsonObject): Mapped {
  if (!kit.valueAt(event, 'context.mappedToDestination')) return { type: 'users', event };
  const given = kit.valueAt(event, 'context.externalId');
  const entry = kit.objectsOf(given).findLast(({ type }) => typeof type === 'string' && type.includes('ITERABLE-'));
  if (!entry) kit.refuse('context.externalId needs an entry whose type is ITERABLE- and the object');
  const type = String(entry['type']).replace('ITERABLE-', '');
  return { type, id: entry['id'], event: type === 'users' ? kit.withMappedIdentifier(event) : event };
}
