import { hash } from 'node:crypto';
import { matchIdsOf, normalizeUserId } from './events.js';
import { isJsonObject, type JsonObject } from './ids.js';
import { writtenForms } from './numbers.js';
import { storableText } from './text.js';

/** Traits beyond this number are ignored. Identifiers are few and short. */
const TRAITS_MAX = 100;
const IDENTIFIER_LENGTH_MAX = 512;

/** The identifiers by which regulations find an event: `userId=<id>`, and each trait as `<name>=<value>`. */
export function identifiersOf(event: JsonObject): string[] {
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const traits = [event['traits'], context['traits']].filter(isJsonObject).flatMap((one) => Object.entries(one));
  const ids = matchIdsOf(event).map((id): [string, unknown] => ['userId', id]);
  return namedValues([...ids, ...traits.slice(0, TRAITS_MAX)]);
}

/** The same identifiers for the users of a regulation, including their custom identifiers. */
export const identifiersOfUsers = (users: JsonObject[]): string[] =>
  users.flatMap((user) => namedValues(Object.entries(user).flatMap(inEachForm)));

/** Long numbers have several spellings, and an event may use any of them. */
const inEachForm = ([name, value]: [string, unknown]): [string, unknown][] =>
  typeof value === 'string' ? writtenForms(value.trim()).map((form) => [name, form]) : [[name, value]];

function namedValues(entries: [string, unknown][]): string[] {
  const identifiers = entries.flatMap(([name, value]) => {
    const text = normalizeUserId(value);
    return text === undefined ? [] : [shortened(storableText(`${name}=${text}`))];
  });
  return [...new Set(identifiers)];
}

/** Replaces an identifier that is too long for the index with its digest. */
const shortened = (identifier: string): string =>
  identifier.length <= IDENTIFIER_LENGTH_MAX ? identifier : `sha256=${hash('sha256', identifier, 'base64url')}`;
