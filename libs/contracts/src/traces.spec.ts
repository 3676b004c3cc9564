import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isTraced } from './traces.js';

const EVENTS = 20_000;
const tracedOf = (name: (n: number) => string, share: number) =>
  Array.from({ length: EVENTS }, (_, n) => name(n)).filter((id) => isTraced(id, share)).length / EVENTS;

describe('isTraced', () => {
  it.each<[string, (n: number) => string]>([
    ['numbers', (n) => `${n}`],
    ['a prefix and a number', (n) => `message-${n}`],
    ['a number and a suffix', (n) => `${n}-of-the-batch`],
  ])('takes near the share of ids made of %s', (_, name) => {
    for (const share of [0.01, 0.1, 0.5]) expect(Math.abs(tracedOf(name, share) - share)).toBeLessThan(0.02);
  });

  it('traces everything with a share of 1, and nothing without a share or an id', () => {
    fc.assert(fc.property(fc.string(), (id) => isTraced(id, 1) && !isTraced(id, 0) && !isTraced(id, undefined)));
    expect(isTraced(undefined, 1)).toBe(false);
  });

  it('keeps what a smaller share takes', () => {
    fc.assert(
      fc.property(fc.string(), fc.float({ min: 0, max: 1, noNaN: true }), (id, share) => {
        return !isTraced(id, share / 2) || isTraced(id, share);
      }),
    );
  });
});
