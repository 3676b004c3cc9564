import { indexOfText, isJsonObject, type TestExpectation, type TestVerdict } from '@weir/contracts';

/** Length of a value in a verdict. The result contains the whole value. */
const SHOWN_LENGTH_MAX = 500;

/**
 * Returns the expectations that the result does not meet, with the actual values taken from `seen`. An expectation that takes too
 * long to compare counts as not met. Pure.
 */
export function verdictOf(result: unknown, expectations: readonly TestExpectation[], seen = result): TestVerdict {
  const comparison = new Comparison();
  const failures = expectations.flatMap((expectation) => {
    const found = valueAt(result, expectation.pointer);
    const problem = problemOf(expectation, found, comparison);
    if (problem === undefined) return [];
    const { pointer } = expectation;
    const actual = valueAt(seen, pointer);
    return [{ pointer, expected: problem, ...(actual && { actual: shown(actual.value) }) }];
  });
  return { passed: failures.length === 0, failures };
}

/** Describes an expectation that does not hold. */
function problemOf(expectation: TestExpectation, found: Found | undefined, by: Comparison): string | undefined {
  try {
    return holds(expectation, found, by) ? undefined : inWords(expectation);
  } catch (error) {
    if (!(error instanceof TooLargeToCompare)) throw error;
    return `${inWords(expectation)}, which is too large to compare: all comparisons of a test may take ${COMPARISON_STEPS_MAX} steps`;
  }
}

function holds({ equals, includes, exists }: TestExpectation, found: Found | undefined, by: Comparison): boolean {
  if (exists !== undefined) return exists === (found !== undefined);
  if (!found) return false;
  return includes === undefined ? by.equals(found.value, equals) : by.includes(includes, found.value);
}

interface Found {
  value: unknown;
}

/** Resolves a JSON Pointer (RFC 6901). Returns undefined if it leads nowhere. */
export function valueAt(root: unknown, pointer: string): Found | undefined {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return { value };
}

function inWords({ equals, includes, exists }: TestExpectation): string {
  if (exists !== undefined) return exists ? 'to exist' : 'not to exist';
  return includes === undefined ? `to equal ${json(equals)}` : `to include ${json(includes)}`;
}

const json = (value: unknown): string => jsonStart(value, SHOWN_LENGTH_MAX).slice(0, SHOWN_LENGTH_MAX);

/** Shortens a long value to the beginning of its JSON. */
function shown(value: unknown): unknown {
  const start = jsonStart(value, SHOWN_LENGTH_MAX);
  return start.length > SHOWN_LENGTH_MAX ? `${start.slice(0, SHOWN_LENGTH_MAX)}…` : value;
}

/** Steps for all comparisons of one test. They take about 5 ms, during which the process answers no other workspace. */
export const COMPARISON_STEPS_MAX = 100_000;
/** Characters compared in about the time of one step. */
const CHARS_PER_STEP = 8;
/** Maximum depth of a comparison. An event has at most 200 levels. */
const DEPTH_MAX = 512;

/** A comparison would block the process for too long. */
export class TooLargeToCompare extends Error {}

/**
 * Compares JSON values of any size in a limited number of steps over all calls. Throws {@link TooLargeToCompare} beyond the
 * limit.
 */
export class Comparison {
  private left: number;

  constructor(steps = COMPARISON_STEPS_MAX) {
    this.left = steps;
  }

  /** Whether both are the same JSON value. The order of keys does not matter. */
  equals(one: unknown, other: unknown, depth = 0): boolean {
    this.step(depth);
    if (typeof one === 'string' && typeof other === 'string')
      return one.length === other.length && this.same(one, other);
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false;
      return one.every((item, index) => this.equals(item, other[index], depth + 1));
    }
    if (!isJsonObject(one)) return Object.is(one, other);
    if (!isJsonObject(other)) return false;
    const keys = Object.keys(one);
    this.spend(keys.length);
    if (keys.length !== Object.keys(other).length) return false;
    return keys.every((key) => Object.hasOwn(other, key) && this.equals(one[key], other[key], depth + 1));
  }

  /**
   * Whether `whole` contains `part`. Objects match by the given keys, lists by containing each given item, strings by substring,
   * and all others by equality.
   */
  includes(part: unknown, whole: unknown, depth = 0): boolean {
    this.step(depth);
    if (typeof part === 'string' && typeof whole === 'string') return this.isPartOf(part, whole);
    if (Array.isArray(part)) return Array.isArray(whole) && this.includesAll(part, whole, depth);
    if (!isJsonObject(part)) return this.equals(part, whole, depth);
    if (!isJsonObject(whole)) return false;
    return Object.entries(part).every(([key, value]) => {
      this.spend(1);
      return Object.hasOwn(whole, key) && this.includes(value, whole[key], depth + 1);
    });
  }

  /** Starts each search behind the previous match, because items usually come in order. Finds scalars without a search. */
  private includesAll(part: readonly unknown[], whole: readonly unknown[], depth: number): boolean {
    const known = new Set(whole.filter((item) => typeof item !== 'object' || item === null));
    this.spend(whole.length);
    let from = 0;
    for (const item of part) {
      this.spend(1);
      if (known.has(item)) continue;
      const at = this.placeOf(item, whole, from, depth);
      if (at === undefined) return false;
      from = at + 1;
    }
    return true;
  }

  private placeOf(item: unknown, whole: readonly unknown[], from: number, depth: number): number | undefined {
    for (let turn = 0; turn < whole.length; turn += 1) {
      const at = (from + turn) % whole.length;
      if (this.includes(item, whole[at], depth + 1)) return at;
    }
    return undefined;
  }

  private same(one: string, other: string): boolean {
    this.spend(one.length / CHARS_PER_STEP);
    return one === other;
  }

  private isPartOf(part: string, whole: string): boolean {
    this.spend(whole.length / CHARS_PER_STEP);
    return indexOfText(whole, part) !== -1;
  }

  private step(depth: number): void {
    if (depth > DEPTH_MAX) throw new TooLargeToCompare();
    this.spend(1);
  }

  private spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooLargeToCompare();
  }
}

/**
 * Returns the JSON of a value, or its beginning if that exceeds `length` characters. The cost depends on the shown part, not on
 * the value. Undefined becomes `nothing`.
 */
export function jsonStart(value: unknown, length: number): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length + 1));
  if (Array.isArray(value)) return joined('[', value.values(), ']', length, (item, left) => jsonStart(item, left));
  if (!isJsonObject(value)) return JSON.stringify(value);
  return joined('{', keysOf(value), '}', length, (key, left) => {
    const start = `${jsonStart(key, left)}:`;
    return start.length > left ? start : start + jsonStart(value[key], left - start.length);
  });
}

function joined<T>(
  open: string,
  items: Iterable<T>,
  close: string,
  length: number,
  write: (item: T, left: number) => string,
): string {
  let text = open;
  for (const item of items) {
    text += `${text.length > 1 ? ',' : ''}${write(item, length - text.length)}`;
    if (text.length > length) return text;
  }
  return text + close;
}

function* keysOf(value: Record<string, unknown>): Generator<string> {
  for (const key in value) if (value[key] !== undefined) yield key;
}
