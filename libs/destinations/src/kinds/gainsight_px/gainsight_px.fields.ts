import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** The places of a trait: those of a person may be in the context, those of an account are in the event. */
type Places = (name: string) => string[];
const ofPerson: Places = (name) => kit.trait(name);
const ofAccount: Places = (name) => [`traits.${name}`];

const fields = (places: Places, as: kit.Conversion, ...names: string[]): kit.Mapping =>
  kit.objectOf(names.map((name): [string, kit.Rule] => [name, { from: places(name), as }]));
const scalarText: kit.Conversion = (value) => (kit.isScalar(value) ? kit.toText(value) : undefined);

/** The words of Gainsight, for those that senders use. */
const GENDERS = { male: 'MALE', m: 'MALE', female: 'FEMALE', f: 'FEMALE', empty_gender: 'EMPTY_GENDER' };
const TYPES = { user: 'USER', lead: 'LEAD', visitor: 'VISITOR', empty_user_type: 'EMPTY_USER_TYPE' };
const USER = 'USER';

const location = (places: Places): kit.Mapping => ({
  ...fields(places, scalarText, 'countryName', 'countryCode', 'stateName', 'stateCode', 'city', 'street'),
  ...fields(places, scalarText, 'postalCode', 'continent', 'regionName', 'timeZone'),
  'coordinates.latitude': { from: places('latitude'), as: kit.toNumber },
  'coordinates.longitude': { from: places('longitude'), as: kit.toNumber },
});

const PERSON: kit.Mapping = {
  type: { from: kit.trait('type'), as: kit.oneOf(TYPES), default: USER },
  gender: { from: kit.GENDER, as: kit.oneOf(GENDERS) },
  email: { from: kit.TRAIT_EMAIL, as: kit.onlyText },
  firstName: { from: kit.FIRST_NAME, as: kit.onlyText },
  lastName: { from: kit.LAST_NAME, as: kit.onlyText },
  ...fields(ofPerson, scalarText, 'title', 'phone', 'role', 'subscriptionId', 'accountId', 'sfdcContactId'),
  ...fields(ofPerson, kit.toNumber, 'score', 'numberOfVisits'),
  ...fields(ofPerson, kit.toUnixMillis, 'lastSeenDate', 'signUpDate', 'firstVisitDate'),
  ...fields(ofPerson, kit.toBoolean, 'globalUnsubscribe'),
  createDate: { from: kit.CREATED_AT, as: kit.toUnixMillis },
};
const PERSON_LOCATION = location(ofPerson);

const ACCOUNT: kit.Mapping = {
  ...fields(ofAccount, scalarText, 'name', 'trackedSubscriptionId', 'sfdcId', 'dunsNumber', 'industry', 'sicCode'),
  ...fields(ofAccount, scalarText, 'website', 'naicsCode', 'plan', 'parentGroupId'),
  ...fields(ofAccount, kit.toNumber, 'numberOfEmployees', 'numberOfUsers'),
  ...fields(ofAccount, kit.toUnixMillis, 'lastSeenDate'),
  createDate: { from: 'traits.createdAt', as: kit.toUnixMillis },
};
const ACCOUNT_LOCATION = location(ofAccount);

/** When somebody or something new was created, unless the traits tell. */
export const CREATION: kit.Mapping = { createDate: { from: kit.TIMESTAMP, as: kit.toUnixMillis } };

/** A person, in the words of Gainsight, for this product. */
export const personOf = (event: JsonObject, config: JsonObject, product: string): JsonObject => ({
  ...namesOf(event),
  ...kit.mapFields(event, PERSON),
  ...placed(kit.mapFields(event, PERSON_LOCATION)),
  propertyKeys: [product],
  customAttributes: customAttributes(event, config, 'userAttributeMap', ofPerson),
});

export const accountOf = (event: JsonObject, config: JsonObject, product: string): JsonObject => ({
  ...kit.mapFields(event, ACCOUNT),
  ...placed(kit.mapFields(event, ACCOUNT_LOCATION)),
  propertyKeys: [product],
  customAttributes: customAttributes(event, config, 'accountAttributeMap', ofAccount),
});

const placed = (place: JsonObject): JsonObject => (kit.isEmpty(place) ? {} : { location: place });

/** First and last name, cut from the full name. */
function namesOf(event: JsonObject): JsonObject {
  const [first, ...rest] = (kit.textAt(event, kit.FULL_NAME) ?? '').slice(0, kit.NAME_LENGTH_MAX).trim().split(' ');
  return kit.withoutEmpty({ firstName: first, lastName: rest.filter(Boolean).join(' ') });
}

/** Traits that the configuration maps. Gainsight knows no others. */
const customAttributes = (event: JsonObject, config: JsonObject, list: string, places: Places): JsonObject =>
  kit.compact(kit.objectOf(kit.configPairs(config, list).map(([from, to]) => [to, kit.firstAt(event, places(from))])));

const EVENT: kit.Mapping = {
  identifyId: { from: kit.USER_ID, as: [kit.onlyId, kit.toText], required: true },
  date: { from: kit.TIMESTAMP, as: kit.toUnixMillis },
  sessionId: { from: 'context.sessionId', as: kit.onlyId },
  url: { from: 'context.page.url', as: kit.onlyText },
  referrer: { from: 'context.page.referrer', as: kit.onlyText },
};

/** The context of an event wins over that of the configuration. Attributes are texts, numbers and booleans. */
export function eventOf(event: JsonObject, config: JsonObject, product: string): JsonObject {
  const { globalContext, ...properties } = kit.objectAt(event, 'properties');
  const flat = Object.entries(kit.compact(properties)).map(([key, value]): [string, unknown] => [
    key,
    kit.isScalar(value) ? value : kit.toText(value),
  ]);
  return {
    eventName: kit.eventName(event),
    ...kit.mapFields(event, EVENT),
    propertyKey: product,
    userType: USER,
    attributes: kit.objectOf(flat),
    globalContext: kit.onlyObject(globalContext) ?? kit.objectOf(kit.configPairs(config, 'globalContextMap')),
  };
}
