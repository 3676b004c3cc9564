import type { JsonObject } from '@weir/contracts';
import { toText } from './convert.js';
import { fullName } from './event.js';
import { valueAt } from './paths.js';

/** Between two or three braces on each side. What is inside has none, so each character is looked at twice at most. */
const PLACEHOLDER = /\{\{\{?([^{}]+)\}\}\}?/g;

/** Makes plain text of a value, for vendors who read markup; `before` is the character that it comes to stand behind. */
type Plain = (text: string, before: string) => string;

/**
 * Fills `{{ path }}` in with texts of the values; what is not there is empty. No code, no helpers. The result is cut at
 * `lengthMax` characters: a value that stands in a template a thousand times is not repeated as often.
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

/** What to call the user of an event. */
export function displayName(event: JsonObject, traits: JsonObject): string {
  const name = fullName(traits) || toText(traits['username'] || traits['email']);
  if (name) return name;
  return event['userId'] ? `User ${toText(event['userId'])}` : `Anonymous user ${toText(event['anonymousId']) ?? ''}`;
}

/** `key: value ` for each of the values that may be shown, in that order; all when nothing is said. */
export function listed(values: JsonObject, shown: readonly string[]): string {
  const keys =
    shown.length === 0 ? Object.keys(values) : [...new Set(shown)].filter((key) => Object.hasOwn(values, key));
  return keys.map((key) => `${key}: ${toText(values[key]) ?? ''} `).join('');
}
