import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { during, onStall, ownTurn, SLICE_MS, Slices, STALL_MS, timeInTurn } from './event-loop.js';

afterEach(() => void jest.restoreAllMocks());

it('a slice lasts for its time, and others have a turn before the next one', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const slices = new Slices();
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  now = SLICE_MS - 1;
  expect(slices.isOver).toBe(false);
  now = SLICE_MS;
  expect(slices.isOver).toBe(true);
  expect(others).toBe(0);
  await slices.next();
  expect([others, slices.isOver]).toEqual([1, false]);
});

it('work that begins in one turn shares its time', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const first = new Slices();
  now = SLICE_MS;
  const second = new Slices();
  expect([first.isOver, second.isOver]).toEqual([true, true]);
  await second.next();
  expect(second.isOver).toBe(false);
  await new Promise(setImmediate);
  expect(new Slices().isOver).toBe(false);
});

it('who has many pieces of work holds up another by one of them', async () => {
  const begun: string[] = [];
  const begin = async (owner: string) => {
    await ownTurn(owner);
    begun.push(owner);
  };
  const all = ['a', 'a', 'a', 'a', 'b', 'b'].map(begin);
  await Promise.all(all);
  expect(begun).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
});

it('small pieces wait only when a turn has no time left, and share the next ones', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  await new Promise(setImmediate);
  expect(timeInTurn('a')).toBeUndefined();
  now = SLICE_MS;
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const begun: [string, number][] = [];
  const all = ['b', ...Array<string>(20).fill('a')].map(async (owner) => {
    await timeInTurn(owner);
    begun.push([owner, turn]);
  });
  await Promise.all(all);
  isOver = true;
  const turnsOf = (wanted: string) => begun.filter(([owner]) => owner === wanted).map(([, at]) => at);
  expect(new Set(turnsOf('a')).size).toBe(2);
  expect(turnsOf('b')[0]).toBeLessThan(Math.max(...turnsOf('a')));
});

it('each piece has a turn of the event loop of its own', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(['a', 'a', 'b'].map((owner) => ownTurn(owner).then(() => turn)));
  isOver = true;
  expect(new Set(turns).size).toBe(3);
});

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
