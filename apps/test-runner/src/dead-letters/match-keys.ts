import { isJsonObject, type JsonObject, matchIdsOf, normalizeUserId } from '@weir/contracts';

/** Traits beyond these are not looked at: identifiers are few and short. */
const TRAITS_MAX = 100;
const KEY_LENGTH_MAX = 512;

/** By which regulations find an event: `userId=<id>` and each of its traits as `<name>=<value>`. */
export function matchKeysOf(event: JsonObject): string[] {
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const traits = [event['traits'], context['traits']].filter(isJsonObject).flatMap((one) => Object.entries(one));
  const ids = matchIdsOf(event).map((id): [string, unknown] => ['userId', id]);
  return keysOf([...ids, ...traits.slice(0, TRAITS_MAX)]);
}

/** The same keys for the users of a regulation, with their custom identifiers. */
export const matchKeysOfUsers = (users: JsonObject[]): string[] =>
  users.flatMap((user) => keysOf(Object.entries(user)));

function keysOf(entries: [string, unknown][]): string[] {
  const keys = entries.flatMap(([name, value]) => {
    const text = normalizeUserId(value);
    return text === undefined ? [] : [`${name}=${text}`.replaceAll('\0', '')];
  });
  return [...new Set(keys.filter(({ length }) => length <= KEY_LENGTH_MAX))];
}
