import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

const words = (letter: string, word: string) =>
  [letter, word, word.toLowerCase(), word.toUpperCase(), letter.toLowerCase()].map((key) => [key, letter] as const);
const GENDERS = kit.objectOf([...words('F', 'Female'), ...words('M', 'Male')]);

/** Standard profile properties of CleverTap: https://developer.clevertap.com/docs/upload-user-profiles-api */
const PROFILE: kit.Mapping = {
  Email: kit.EMAIL,
  Name: kit.FULL_NAME,
  Phone: kit.TRAIT_PHONE,
  Gender: { from: kit.GENDER, as: (word) => kit.lookedUp(GENDERS, String(word)) },
  Employed: kit.trait('employed'),
  DOB: kit.BIRTHDAY,
  Education: kit.trait('education'),
  Married: kit.trait('married'),
  'Customer Type': kit.trait('customerType'),
  Photo: kit.AVATAR,
};
/** Traits that are not sent under their own names. */
const READ_TRAITS = [
  ...['email', 'phone', 'gender', 'employed', 'birthday', 'education', 'married', 'customerType', 'avatar', 'name'],
  ...['firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name', 'ts', 'id', 'userId', 'anonymousId'],
  'overrideFields',
];
/** Lists that CleverTap reads as such. */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(['category-unsubscribe', 'category-resubscribe']);
const TOKEN_TYPES: readonly unknown[] = ['chrome', 'fcm', 'gcm', 'apns', 'wns', 'mpns'];

/** Writes objects and lists as JSON, because CleverTap stores only texts, numbers and booleans. */
export const flatValues = (values: JsonObject, kept: ReadonlySet<string> = new Set()): JsonObject =>
  kit.objectOf(
    Object.entries(values).map(([key, value]) => {
      const isPlain = typeof value !== 'object' || value === null || kept.has(key);
      return [key, isPlain ? value : JSON.stringify(value)] as const;
    }),
  );

/** Standard properties, then custom traits, then whatever `overrideFields` says. */
export function profileOf(event: JsonObject, more: JsonObject): JsonObject {
  const traits = kit.merged(kit.objectAt(event, 'traits'), kit.objectAt(event, 'context.traits'));
  const custom = kit.nested(kit.omit(traits, READ_TRAITS));
  const standard = { ...bothNames(event), ...kit.mapFields(event, PROFILE), ...more };
  const override = kit.firstAt(event, kit.trait('overrideFields'));
  return kit.compact(
    kit.merged(flatValues(kit.merged(standard, custom), SUBSCRIPTIONS), isJsonObject(override) ? override : {}),
  );
}

/** A name is made only of a first and a last name. */
function bothNames(event: JsonObject): JsonObject {
  const [first, last] = [kit.textAt(event, kit.FIRST_NAME), kit.textAt(event, kit.LAST_NAME)];
  return first && last ? { Name: `${first} ${last}` } : {};
}

/** The push token of the device. `integrations.clevertap` may name its type, and the keys of a browser. */
export function tokenOf(event: JsonObject): JsonObject | undefined {
  const id = kit.valueAt(event, 'context.device.token');
  const family = kit.deviceFamily(event, ['context.os.name']);
  if (!kit.isGiven(id) || !family) return undefined;
  const { deviceTokenType, chromeKeys } = kit.integrationOptions(event, 'clevertap');
  const usual = family === 'apple' ? 'apns' : 'fcm';
  const type = TOKEN_TYPES.includes(deviceTokenType) ? deviceTokenType : usual;
  return { id, type, ...kit.withoutEmpty({ keys: chromeKeys }) };
}
