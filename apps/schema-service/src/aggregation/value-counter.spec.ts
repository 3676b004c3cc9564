import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COUNTER_VALUES_MAX, FREQUENT_CERTAIN_SHARE, FREQUENT_ONE_IN } from './limits.js';
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

/** Counts the values in `parts` counters, like separate flushes, and merges them. */
const mergedOf = (values: readonly string[], parts: number) => {
  const merged = new ValueCounter();
  const size = Math.ceil(values.length / parts);
  for (let at = 0; at < values.length; at += size) merged.merge(counterOf(values.slice(at, at + size)));
  return merged;
};

/**
 * Streams of a few common values and many rare ones, in several parts. Made from a seed, because arrays of fast-check are slow.
 */
const streams = fc.record({
  seed: fc.integer(),
  length: fc.integer({ min: 1, max: 6_000 }),
  oftenValues: fc.integer({ min: 1, max: 8 }),
  oftenShare: fc.double({ min: 0, max: 0.9, noNaN: true }),
  rareValues: fc.integer({ min: 1, max: 5_000 }),
  parts: fc.integer({ min: 1, max: 9 }),
});
type Stream = typeof streams extends fc.Arbitrary<infer T> ? T : never;

function valuesOf({ seed, length, oftenValues, oftenShare, rareValues }: Stream): string[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (max: number) => Math.floor(random() * max);
  return Array.from({ length }, () =>
    random() < oftenShare ? `often ${below(oftenValues)}` : `rare ${below(rareValues)}`,
  );
}

describe('counting values', () => {
  it('is exact while the values fit, in any split', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const values = valuesOf({ ...stream, rareValues: COUNTER_VALUES_MAX - stream.oftenValues });
        const { counts, floor } = mergedOf(values, stream.parts);
        expect(floor).toBe(0);
        expect(new Map([...(counts ?? [])].map(([value, { count }]) => [value, count]))).toEqual(exactCounts(values));
      }),
      { numRuns: 40 },
    );
  });

  it('never says too little, nor too much by more than observations / COUNTER_VALUES_MAX', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const values = valuesOf(stream);
        const counter = mergedOf(values, stream.parts);
        const errorMax = values.length / COUNTER_VALUES_MAX;
        expect(counter.observed).toBe(values.length);
        expect(counter.floor).toBeLessThanOrEqual(errorMax);
        expect(counter.counts?.size ?? 0).toBeLessThanOrEqual(COUNTER_VALUES_MAX);
        if (!counter.counts) return;
        const wrong = [...exactCounts(values)].filter(([value, truth]) => {
          const { count, error } = counter.counts?.get(value) ?? { count: counter.floor, error: counter.floor };
          return truth > count || truth < count - error || error > errorMax;
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('lists every value that is frequent, and none that is not nearly so', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const values = valuesOf(stream);
        const counter = mergedOf(values, stream.parts);
        const listed = new Set(counter.frequent().map(({ Value }) => Value));
        const wrong = [...exactCounts(values)].filter(([value, truth]) => {
          const share = truth / values.length;
          return listed.has(value) ? share < FREQUENT_CERTAIN_SHARE : share >= 1 / FREQUENT_ONE_IN;
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 60 },
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
