import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundOf, bucketOf, percentileOf } from './delivery-counts.js';

describe('a bucket', () => {
  it('reaches as far as a latency of it, and at most a fifth further', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400_000 }), (milliseconds) => {
        const bound = boundOf(bucketOf(milliseconds));
        expect(bound).toBeGreaterThanOrEqual(milliseconds - 1);
        expect(bound).toBeLessThanOrEqual(milliseconds * 1.2 + 1);
      }),
    );
  });

  it.each([[-5], [0], [0.3], [1]])('of %p ms is the first', (milliseconds) => {
    expect(bucketOf(milliseconds)).toBe(0);
  });
});

describe('percentileOf', () => {
  it('is the bound of the bucket that holds it', () => {
    const counts = new Map([
      [20, 1],
      [10, 90],
      [15, 9],
    ]);
    expect([0.5, 0.9, 0.95, 1].map((share) => percentileOf(counts, share))).toEqual([6, 6, 15, 38]);
  });

  it('of nothing is nothing', () => {
    expect(percentileOf(new Map(), 0.5)).toBeUndefined();
  });
});
