import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COUNTER_VALUES_MAX } from './limits.js';
import { ValueCounter } from './value-counter.js';

const counterOf = (values: readonly string[]) => {
  const counter = new ValueCounter();
  for (const value of values) counter.observe(value);
  return counter;
};

const exactCounts = (values: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Merged from `parts` parts, as from so many flushes. */
const mergedOf = (values: readonly string[], parts: number) => {
  const merged = new ValueCounter();
  const size = Math.ceil(values.length / parts);
  for (let at = 0; at < values.length; at += size) merged.merge(counterOf(values.slice(at, at + size)));
  return merged;
};

/** A few values often, many values rarely, mixed. */
const skewed = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 5 }) },
    { weight: 3, arbitrary: fc.integer({ min: 6, max: 3_000 }) },
  ),
  { minLength: 1_000, maxLength: 6_000 },
);

describe('counting values', () => {
  it('is exact while the values fit, in any split', () => {
    const values = fc.array(fc.integer({ min: 0, max: COUNTER_VALUES_MAX - 1 }).map(String), { maxLength: 2_000 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), (observed, parts) => {
        const { counts, floor } = mergedOf(observed, parts);
        expect(floor).toBe(0);
        expect(new Map([...(counts ?? [])].map(([value, { count }]) => [value, count]))).toEqual(exactCounts(observed));
      }),
      { numRuns: 50 },
    );
  });

  it('brackets the truth beyond that, within observations / COUNTER_VALUES_MAX', () => {
    fc.assert(
      fc.property(skewed, fc.integer({ min: 1, max: 9 }), (numbers, parts) => {
        const values = numbers.map(String);
        const counter = mergedOf(values, parts);
        expect(counter.observed).toBe(values.length);
        expect(counter.floor).toBeLessThanOrEqual(values.length / COUNTER_VALUES_MAX);
        expect(counter.counts?.size ?? 0).toBeLessThanOrEqual(COUNTER_VALUES_MAX);
        if (!counter.counts) return;
        for (const [value, truth] of exactCounts(values)) {
          const { count, error } = counter.counts.get(value) ?? { count: counter.floor, error: counter.floor };
          expect(truth).toBeLessThanOrEqual(count);
          expect(truth).toBeGreaterThanOrEqual(count - error);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('frequent values', () => {
  const times = (value: string, count: number) => Array<string>(count).fill(value);

  it('make up one in a hundred observations, most frequent first, then by value', () => {
    const counter = counterOf([...times('b', 2), ...times('a', 2), ...times('often', 195), 'rare']);
    expect(counter.frequent()).toEqual([
      { Value: 'often', Frequency: 195 },
      { Value: 'a', Frequency: 2 },
      { Value: 'b', Frequency: 2 },
    ]);
  });

  it('are never longer than 256 characters, but long ones are observations', () => {
    const [fits, tooLong] = ['y'.repeat(256), 'x'.repeat(257)];
    expect(counterOf([...times(tooLong, 99), fits]).frequent()).toEqual([{ Value: fits, Frequency: 1 }]);
    expect(counterOf([...times(tooLong, 100), fits]).frequent()).toEqual([]);
  });

  it('survive among many rare ones', () => {
    const values = Array.from({ length: 20_000 }, (_, at) => (at % 20 === 0 ? 'steady' : `once-${at}`));
    const [steady, ...others] = mergedOf(values, 7).frequent();
    expect(others).toEqual([]);
    expect(steady?.Value).toBe('steady');
    expect(steady?.Frequency).toBeGreaterThanOrEqual(1_000);
    expect(steady?.Frequency).toBeLessThanOrEqual(1_000 + 20_000 / COUNTER_VALUES_MAX);
  });

  it('are given up for a path of identifiers, for good', () => {
    const ids = (from: number) => counterOf(Array.from({ length: 900 }, (_, at) => `id-${from + at}`));
    const counter = new ValueCounter();
    counter.merge(ids(0));
    expect(counter.counts).toBeDefined();
    counter.merge(ids(900));
    expect(counter.counts).toBeUndefined();
    counter.merge(counterOf(times('now constant', 5_000)));
    expect(counter.frequent()).toEqual([]);
    expect(counter.observed).toBe(6_800);
  });
});
