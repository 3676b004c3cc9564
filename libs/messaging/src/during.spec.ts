import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { during, onStall, STALL_MS } from './during.js';

/** A fake clock, so that the machine's load cannot change how long work takes. */
let now = 0;
const hold = (ms: number) => {
  now += ms;
};

describe('during', () => {
  let told: [work: string, ms: number][] = [];
  let stop = () => {};
  beforeEach(() => {
    told = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    stop = onStall((work, ms) => told.push([work, ms]));
  });
  afterEach(() => {
    stop();
    jest.restoreAllMocks();
  });

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
      ['long', 2 * STALL_MS],
      ['failed', 2 * STALL_MS],
    ]);
  });

  it('counts what is marked within at the inner name only', () => {
    during('outer', () => {
      during('inner', () => hold(4 * STALL_MS));
    });
    expect(told).toEqual([['inner', 4 * STALL_MS]]);
  });

  it('tells nobody who does not listen any more', () => {
    stop();
    during('long', () => hold(2 * STALL_MS));
    expect(told).toEqual([]);
  });
});
