import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type Item, matchingItems, PatternInConfig, type PatternPath } from '@weir/patterns';
import { toText } from './convert.js';

/** A trimmed text of the configuration. `''` if there is none. */
export function configText(config: JsonObject, key: string): string {
  const value = config[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Throws `AppError('invalid')` with the key. */
export function requiredText(config: JsonObject, key: string): string {
  const value = configText(config, key);
  if (value === '') throw new AppError('invalid', `${key} is required in the destination's configuration`);
  return value;
}

/** Prepares an address for appending a path. */
export function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

export const isOn = (config: JsonObject, key: string): boolean => config[key] === true;

export function configList(config: JsonObject, key: string): JsonObject[] {
  const value = config[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The words of a list of one-key objects, such as `[{ trait: 'plan' }]`, without empty ones. */
export const configWords = (config: JsonObject, key: string, item: string): string[] =>
  configList(config, key)
    .map((entry) => entry[item])
    .filter((word): word is string => typeof word === 'string')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The pairs of a list of `{ from, to }` in which both are filled. */
export const configPairs = (config: JsonObject, key: string): [from: string, to: string][] =>
  configList(config, key)
    .map(({ from, to }): [string, string] => [textOf(from), textOf(to)])
    .filter(([from, to]) => from !== '' && to !== '');

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');

/** Pattern places of lists whose settings each apply to one `eventName`, or to a pattern if `eventRegex` is true. */
export const eventPatterns = (...lists: string[]): PatternPath[] =>
  lists.map((list) => ({ list, text: 'eventName', when: 'eventRegex' }));

/**
 * Returns the first setting of a list for events of this name, or an empty one. Throws `AppError('invalid')` with any pattern
 * that cannot be matched. Configurations saved before patterns were checked may contain one.
 */
export function settingsFor(
  name: string,
  config: JsonObject,
  patterns: readonly PatternPath[],
): (list: string) => JsonObject {
  const matched = itemsFor(name, config, patterns);
  const isFor = (setting: JsonObject) =>
    setting['eventRegex'] === true ? matched.has(setting) : name !== '' && toText(setting['eventName']) === name;
  return (list) => configList(config, list).find(isFor) ?? {};
}

function itemsFor(name: string, config: JsonObject, patterns: readonly PatternPath[]): ReadonlySet<Item> {
  try {
    return matchingItems(config, patterns, name);
  } catch (error) {
    if (error instanceof PatternInConfig) throw new AppError('invalid', error.message);
    throw error;
  }
}
