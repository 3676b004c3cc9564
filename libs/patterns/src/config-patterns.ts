import { PatternRefused, PatternSet } from './pattern-set.js';

/**
 * Keyword of a configuration's JSON Schema, at its root: a list of {@link PatternPlace}. Validators that do not know it pass it
 * by, so a schema stays one that every client can read.
 */
export const PATTERNS_KEYWORD = 'x-patterns';

/** Where a configuration holds patterns: under `text` of those items of `list` whose `when` is true. */
export interface PatternPlace {
  list: string;
  text: string;
  when: string;
}

/** A configuration with a pattern that is refused. */
export class PatternInConfig extends Error {
  constructor(
    /** Such as `['eventTemplateSettings', '2', 'eventName']`. */
    readonly path: readonly string[],
    readonly reason: string,
  ) {
    super(`${path.join('.')} ${reason}`);
  }
}

type Config = Readonly<Record<string, unknown>>;

/** Items of the lists, as keys of {@link matchingItems}. */
export type Item = object;

/** Throws {@link PatternInConfig} for the first pattern that cannot be matched in linear time, or is one too many. */
export function checkPatterns(config: Config, places: readonly PatternPlace[]): void {
  patternsOf(config, places);
}

/** The items whose pattern fits a text; a pattern that is empty fits none. Throws {@link PatternInConfig}. */
export function matchingItems(config: Config, places: readonly PatternPlace[], text: string): ReadonlySet<Item> {
  const { found, set } = patternsOf(config, places);
  const matched = set.fitting(text);
  return new Set(found.filter((_, place) => matched.has(place)).map(({ item }) => item));
}

interface Found {
  item: Item;
  path: readonly string[];
  pattern: string;
}

function patternsOf(config: Config, places: readonly PatternPlace[]): { found: Found[]; set: PatternSet } {
  const found = places.flatMap((place) => patternsAt(config, place));
  try {
    return { found, set: PatternSet.of(found.map(({ pattern }) => pattern)) };
  } catch (error) {
    if (error instanceof PatternRefused) throw new PatternInConfig(found[error.place]?.path ?? [], error.reason);
    throw error;
  }
}

function patternsAt(config: Config, { list, text, when }: PatternPlace): Found[] {
  const items: readonly unknown[] = Array.isArray(config[list]) ? config[list] : [];
  return items.flatMap((item, index) => {
    if (typeof item !== 'object' || item === null) return [];
    const { [text]: pattern, [when]: isPattern } = item as Record<string, unknown>;
    if (isPattern !== true || pattern === '' || (typeof pattern !== 'string' && typeof pattern !== 'number')) return [];
    return [{ item, path: [list, String(index), text], pattern: String(pattern) }];
  });
}
