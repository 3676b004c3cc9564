import { PatternRefused, PatternSet } from './pattern-set.js';

/**
 * Keyword at the root of a configuration's JSON Schema: a list of {@link PatternPath}. Validators ignore unknown keywords, so
 * every client can still read the schema.
 */
export const PATTERNS_KEYWORD = 'x-patterns';

/** Where a configuration holds patterns: in the field `text` of the items of `list` whose field `when` is true. */
export interface PatternPath {
  list: string;
  text: string;
  when: string;
}

/** A configuration contains a pattern that is refused. */
export class PatternInConfig extends Error {
  constructor(
    /** For example `['eventTemplateSettings', '2', 'eventName']`. */
    readonly path: readonly string[],
    readonly reason: string,
  ) {
    super(`${path.join('.')} ${reason}`);
  }
}

type Config = Readonly<Record<string, unknown>>;

/** An item of a list, by identity, as in the result of {@link matchingItems}. */
export type Item = object;

/** Throws {@link PatternInConfig} for the first pattern that cannot run in linear time or that exceeds the total size. */
export function checkPatterns(config: Config, paths: readonly PatternPath[]): void {
  patternsOf(config, paths);
}

/** Returns the items whose pattern matches the text. An empty pattern matches nothing. Throws {@link PatternInConfig}. */
export function matchingItems(config: Config, paths: readonly PatternPath[], text: string): ReadonlySet<Item> {
  const { found, set } = patternsOf(config, paths);
  const matched = set.fitting(text);
  return new Set(found.filter((_, index) => matched.has(index)).map(({ item }) => item));
}

interface Found {
  item: Item;
  path: readonly string[];
  pattern: string;
}

function patternsOf(config: Config, paths: readonly PatternPath[]): { found: Found[]; set: PatternSet } {
  const found = paths.flatMap((path) => patternsAt(config, path));
  try {
    return { found, set: PatternSet.of(found.map(({ pattern }) => pattern)) };
  } catch (error) {
    if (error instanceof PatternRefused) throw new PatternInConfig(found[error.index]?.path ?? [], error.reason);
    throw error;
  }
}

function patternsAt(config: Config, { list, text, when }: PatternPath): Found[] {
  const items: readonly unknown[] = Array.isArray(config[list]) ? config[list] : [];
  return items.flatMap((item, index) => {
    if (typeof item !== 'object' || item === null) return [];
    const { [text]: pattern, [when]: isPattern } = item as Record<string, unknown>;
    if (isPattern !== true || pattern === '' || (typeof pattern !== 'string' && typeof pattern !== 'number')) return [];
    return [{ item, path: [list, String(index), text], pattern: String(pattern) }];
  });
}
