import { AppError, type JsonObject } from '@weir/contracts';
import { type Item, matchingItems, PatternInConfig, type PatternPlace } from '@weir/patterns';
import { configList } from './config.js';
import { toText } from './convert.js';

/** Pattern places of lists whose settings each apply to one `eventName`, or to a pattern if `eventRegex` is true. */
export const eventPatterns = (...lists: string[]): PatternPlace[] =>
  lists.map((list) => ({ list, text: 'eventName', when: 'eventRegex' }));

/**
 * Returns the first setting of a list for events of this name, or an empty one. Throws `AppError('invalid')` with any pattern
 * that cannot be matched. Configurations saved before patterns were checked may contain one.
 */
export function settingsFor(
  name: string,
  config: JsonObject,
  patterns: readonly PatternPlace[],
): (list: string) => JsonObject {
  const matched = itemsFor(name, config, patterns);
  const isFor = (setting: JsonObject) =>
    setting['eventRegex'] === true ? matched.has(setting) : name !== '' && toText(setting['eventName']) === name;
  return (list) => configList(config, list).find(isFor) ?? {};
}

function itemsFor(name: string, config: JsonObject, patterns: readonly PatternPlace[]): ReadonlySet<Item> {
  try {
    return matchingItems(config, patterns, name);
  } catch (error) {
    if (error instanceof PatternInConfig) throw new AppError('invalid', error.message);
    throw error;
  }
}
