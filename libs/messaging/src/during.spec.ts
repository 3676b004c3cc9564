import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { during, onStall, STALL_MS } from './during.js';

const hold = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('during', () => {
  let told: [work: string, ms: number][] = [];
  let stop = () => {};
  beforeEach(() => {
    told = [];
    stop = onStall((work, ms) => told.push([work, ms]));
  });
  afterEach(() => stop());

  it('answers what the work answers, and throws what it throws', () => {
    expect(during('a', () => 7)).toBe(7);
    expect(() =>
      during('a', () => {
        throw new Error('own');
      }),
    ).toThrow('own');
  });

  it('tells long work by name, failed work too', () => {
    during('long', () => hold(2 * STALL_MS));
    expect(() =>
      during('failed', () => {
        hold(2 * STALL_MS);
        throw new Error('own');
      }),
    ).toThrow();
    expect(told).toEqual([
      ['long', expect.any(Number)],
      ['failed', expect.any(Number)],
    ]);
    expect(told.every(([, ms]) => ms >= 2 * STALL_MS)).toBe(true);
  });

  it('counts what is marked within at the inner name only', () => {
    during('outer', () => {
      during('inner', () => hold(4 * STALL_MS));
    });
    expect(told).toEqual([['inner', expect.any(Number)]]);
  });

  it('tells nobody who does not listen any more', () => {
    stop();
    during('long', () => hold(2 * STALL_MS));
    expect(told).toEqual([]);
  });
});
