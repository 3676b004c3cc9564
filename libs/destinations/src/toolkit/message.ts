import type { JsonObject } from '@weir/contracts';
import { toText } from './convert.js';
import { fullName } from './event.js';
import { valueAt } from './paths.js';

/** Two or three braces on each side. The text between them contains none, so each character is read at most twice. */
const PLACEHOLDER = /\{\{\{?([^{}]+)\}\}\}?/g;

/** Escapes a value for vendors that interpret markup. `before` is the preceding character. */
type Plain = (text: string, before: string) => string;

/**
 * Replaces `{{ path }}` with the value's text, or with nothing if there is none. Supports no code and no helpers. The result is
 * cut at `lengthMax` characters, so a value that occurs a thousand times in a template cannot make it huge.
 */
export function fillTemplate(
  template: string,
  values: JsonObject,
  lengthMax: number,
  plain: Plain = (text) => text,
): string {
  const texts = new Map<string, string>();
  let [filled, before, at] = ['', '', 0];
  const add = (text: string) => {
    filled += text;
    before = text.at(-1) ?? before;
  };
  for (const { 0: placeholder, 1: inner = '', index } of template.matchAll(PLACEHOLDER)) {
    const path = inner.trim();
    const text = texts.get(path) ?? textUnder(values, path, lengthMax);
    texts.set(path, text);
    add(template.slice(at, index));
    add(plain(text, before));
    at = index + placeholder.length;
    if (filled.length >= lengthMax) break;
  }
  return (filled + template.slice(at)).slice(0, lengthMax);
}

const textUnder = (values: JsonObject, path: string, lengthMax: number) =>
  path === '' ? '' : (toText(valueAt(values, path)) ?? '').slice(0, lengthMax);

/** A display name for the user of an event. An address among its properties comes before that of the traits. */
export function displayName(event: JsonObject, traits: JsonObject): string {
  const email = valueAt(event, 'properties.email') || traits['email'];
  const name = fullName(traits) || toText(traits['username'] || email);
  if (name) return name;
  return event['userId'] ? `User ${toText(event['userId'])}` : `Anonymous user ${toText(event['anonymousId']) ?? ''}`;
}

/** Lists `key: value ` for each key in `shown`, in that order. An empty `shown` means all keys. */
export function listed(values: JsonObject, shown: readonly string[]): string {
  const keys =
    shown.length === 0 ? Object.keys(values) : [...new Set(shown)].filter((key) => Object.hasOwn(values, key));
  return keys.map((key) => `${key}: ${toText(values[key]) ?? ''} `).join('');
}
