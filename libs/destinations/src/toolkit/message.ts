import type { JsonObject } from '@weir/contracts';
import { toText } from './convert.js';
import { fullName } from './event.js';
import { valueAt } from './paths.js';

/** A pattern of a configuration is matched against this much of an event's name. */
const NAME_LENGTH_MAX = 256;
const PLACEHOLDER = /\{\{\{?\s*([^{}]+?)\s*\}?\}\}/g;

/** Fills `{{ path }}` in with texts of the values; what is not there is empty. No code, no helpers. */
export const fillTemplate = (template: string, values: JsonObject): string =>
  template.replace(PLACEHOLDER, (_, path: string) => toText(valueAt(values, path)) ?? '');

/** What to call the user of an event. */
export function displayName(event: JsonObject, traits: JsonObject): string {
  const name = fullName(traits) || toText(traits['username'] || traits['email']);
  if (name) return name;
  return event['userId'] ? `User ${toText(event['userId'])}` : `Anonymous user ${toText(event['anonymousId']) ?? ''}`;
}

/** `key: value ` for each of the values that may be shown, in that order; all when nothing is said. */
export function listed(values: JsonObject, shown: readonly string[]): string {
  const entries = Object.entries(values).filter(([key]) => shown.length === 0 || shown.includes(key));
  const order = ([key]: [string, unknown]) => shown.indexOf(key);
  const sorted = entries.sort((a, b) => order(a) - order(b));
  return sorted.map(([key, value]) => `${key}: ${toText(value) ?? ''} `).join('');
}

/** Whether a setting is for events of this name: by name, or by pattern; a pattern that is none fits nothing. */
export function isForEvent({ eventName, eventRegex }: JsonObject, name: string): boolean {
  const wanted = toText(eventName) ?? '';
  if (wanted === '') return false;
  if (eventRegex !== true) return wanted === name;
  try {
    return new RegExp(wanted).test(name.slice(0, NAME_LENGTH_MAX));
  } catch {
    return false;
  }
}
