import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** The id of a user at Engage: their own if the event names it, otherwise ours. */
export const userOf = (event: JsonObject): string | undefined =>
  kit.externalId(event, 'engageId') ?? kit.textAt(event, kit.KNOWN_USER_ID);

/** In international format, of digits only. */
const PHONE = /^\d{7,15}$/;
/** Keeps a phone in Engage's form as it is, and cuts the usual punctuation from others. */
function toPhone(value: unknown): unknown {
  const given = kit.onlyId(value);
  if (given === undefined || PHONE.test(String(given))) return given;
  const digits = String(given)
    .slice(0, kit.NAME_LENGTH_MAX)
    .replace(/[\s().+-]/g, '');
  return PHONE.test(digits) ? digits : undefined;
}

const ATTRIBUTES: kit.Mapping = {
  first_name: { from: kit.FIRST_NAME, as: kit.onlyText },
  last_name: { from: kit.LAST_NAME, as: kit.onlyText },
  email: { from: kit.EMAIL, as: kit.onlyText },
  number: { from: kit.PHONE, as: toPhone },
  // The sign-up, or the time of the event where the traits do not tell it.
  created_at: [...kit.CREATED_AT, ...kit.TIMESTAMP],
};
/** Traits that are attributes of their own. */
const NAMED = kit.keysRead(ATTRIBUTES, 'traits');

/** A user's attributes. All other traits are in `meta`. */
export function attributesOf(event: JsonObject): JsonObject {
  const meta = scalarsOf(kit.omit(kit.givenTraits(event) ?? {}, NAMED));
  return { ...kit.mapFields(event, ATTRIBUTES), ...(!kit.isEmpty(meta) && { meta }) };
}

export const eventOf = (event: JsonObject, name: string): JsonObject => ({
  event: name,
  ...kit.mapFields(event, { timestamp: kit.TIMESTAMP }),
  properties: scalarsOf(kit.objectAt(event, 'properties')),
});

/** The lists that the event names for its user, or else those of the configuration. */
export function listsOf(event: JsonObject, config: JsonObject): JsonObject {
  const ids = kit.valueAt(event, 'context.externalId');
  const own = kit
    .objectsOf(ids)
    .filter(({ type }) => type === 'engageListId')
    .map(({ id }) => kit.toText(kit.onlyId(id)))
    .filter(Boolean);
  const lists = own.length > 0 ? own : kit.configWords(config, 'listIds', 'listId');
  return lists.length > 0 ? { lists } : {};
}

/** Engage has flat texts, numbers and booleans: those of inner objects have their own names, and lists are left out. */
function scalarsOf(object: JsonObject): JsonObject {
  const found: [string, unknown][] = [];
  const add = (within: JsonObject) => {
    for (const [key, value] of Object.entries(within)) {
      if (isJsonObject(value)) add(value);
      else if (kit.isScalar(value)) found.push([key, value]);
    }
  };
  add(object);
  return kit.objectOf(found);
}
