import { indexOfText, isJsonObject } from '@weir/contracts';

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
