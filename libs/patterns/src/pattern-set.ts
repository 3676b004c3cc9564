import { RE2JS, RE2Set } from 're2js';
import { unsupportedIn, writtenOut } from './syntax.js';

/** Characters of all patterns in one configuration, with repetitions expanded (docs/decisions/0001-patterns-in-linear-time.md). */
export const PATTERN_SIZE_MAX = 512;
/** Patterns see only this many characters of a text. Names are shorter, and longer texts would only cost time. */
export const MATCHED_LENGTH_MAX = 256;
/** Total size of the cached patterns: at worst 54 MiB (of `\pL`), and about 10 MiB for 1,000 usual sets. */
const KEPT_SIZE_MAX = 64 * PATTERN_SIZE_MAX;
/** Keeps no automaton states between matches. With hostile patterns, building them costs ten times what they save. */
const STATE_BYTES_MAX = 1;

/** A refused pattern, with its index in the list. */
export class PatternRefused extends Error {
  constructor(
    readonly index: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Patterns that are matched together, in time linear in the text for any pattern. */
export class PatternSet {
  private constructor(
    private readonly set: RE2Set | undefined,
    readonly size: number,
  ) {}

  /** Indexes of the patterns that match anywhere in the text. */
  fitting(text: string): ReadonlySet<number> {
    // linear: RE2 is the linear engine.
    return new Set(this.set?.match(text.slice(0, MATCHED_LENGTH_MAX)));
  }

  /**
   * Compiles patterns in JavaScript syntax, limited to features of a linear engine (RE2). Recently used sets are cached. Throws
   * {@link PatternRefused}.
   */
  static of(patterns: readonly string[]): PatternSet {
    sizeOf(patterns, ({ length }) => length);
    const key = JSON.stringify(patterns);
    const set = kept.get(key) ?? PatternSet.compiled(patterns);
    keep(key, set);
    return set;
  }

  private static compiled(patterns: readonly string[]): PatternSet {
    if (patterns.length === 0) return new PatternSet(undefined, 0);
    const size = sizeOf(patterns, (pattern) => Math.max(pattern.length, writtenOut(pattern)));
    const set = new RE2Set(RE2Set.UNANCHORED, 0, STATE_BYTES_MAX);
    for (const [index, pattern] of patterns.entries()) add(set, pattern, index);
    set.compile();
    return new PatternSet(set, size);
  }
}

function add(set: RE2Set, pattern: string, index: number): void {
  const unsupported = unsupportedIn(pattern);
  if (unsupported) {
    throw new PatternRefused(index, `cannot have ${unsupported}: patterns are matched in linear time, as RE2 does it`);
  }
  try {
    set.add(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new PatternRefused(
      index,
      `is not a pattern: ${(error as Error).message.replace('error parsing regexp: ', '')}`,
    );
  }
}

function sizeOf(patterns: readonly string[], sizeOfOne: (pattern: string) => number): number {
  let size = 0;
  for (const [index, pattern] of patterns.entries()) {
    size += sizeOfOne(pattern);
    if (size > PATTERN_SIZE_MAX) {
      const reason = `makes the patterns longer than ${PATTERN_SIZE_MAX} characters together, repetitions written out`;
      throw new PatternRefused(index, reason);
    }
  }
  return size;
}

/** Ordered by last use. */
const kept = new Map<string, PatternSet>();
let keptSize = 0;

function keep(key: string, set: PatternSet): void {
  if (!kept.delete(key)) keptSize += set.size;
  kept.set(key, set);
  for (const [oldest, { size }] of kept) {
    if (keptSize <= KEPT_SIZE_MAX) return;
    kept.delete(oldest);
    keptSize -= size;
  }
}
