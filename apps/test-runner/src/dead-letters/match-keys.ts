import { hash } from 'node:crypto';
import {
  isJsonObject,
  type JsonObject,
  matchIdsOf,
  normalizeUserId,
  storableText,
  writtenForms,
} from '@weir/contracts';

/** Traits beyond this number are ignored. Identifiers are few and short. */
const TRAITS_MAX = 100;
const KEY_LENGTH_MAX = 512;

/** The keys by which regulations find an event: `userId=<id>`, and each trait as `<name>=<value>`. */
export function matchKeysOf(event: JsonObject): string[] {
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const traits = [event['traits'], context['traits']].filter(isJsonObject).flatMap((one) => Object.entries(one));
  const ids = matchIdsOf(event).map((id): [string, unknown] => ['userId', id]);
  return keysOf([...ids, ...traits.slice(0, TRAITS_MAX)]);
}

/** The same keys for the users of a regulation, including their custom identifiers. */
export const matchKeysOfUsers = (users: JsonObject[]): string[] =>
  users.flatMap((user) => keysOf(Object.entries(user).flatMap(inEachForm)));

/** Long numbers have several spellings, and an event may use any of them. */
const inEachForm = ([name, value]: [string, unknown]): [string, unknown][] =>
  typeof value === 'string' ? writtenForms(value.trim()).map((form) => [name, form]) : [[name, value]];

function keysOf(entries: [string, unknown][]): string[] {
  const keys = entries.flatMap(([name, value]) => {
    const text = normalizeUserId(value);
    return text === undefined ? [] : [shortened(storableText(`${name}=${text}`))];
  });
  return [...new Set(keys)];
}

/** Replaces a key that is too long for the index with its digest. */
const shortened = (key: string): string =>
  key.length <= KEY_LENGTH_MAX ? key : `sha256=${hash('sha256', key, 'base64url')}`;
