import { AppError, type JsonObject } from '@weir/contracts';
import { type Item, matchingItems, PatternInConfig, type PatternPlace } from '@weir/patterns';
import { configList } from './config.js';
import { toText } from './convert.js';

/** Patterns of lists whose settings are each for events of one `eventName`, or of a pattern where `eventRegex` is true. */
export const eventPatterns = (...lists: string[]): PatternPlace[] =>
  lists.map((list) => ({ list, text: 'eventName', when: 'eventRegex' }));

/**
 * The first setting of a list that is for events of this name; none: an empty one. Throws `AppError('invalid')` naming the
 * pattern that cannot be matched: such a configuration was saved before patterns were checked.
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
