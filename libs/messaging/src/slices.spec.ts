import { afterEach, expect, it, jest } from '@jest/globals';
import { ownTurn, SLICE_MS, Slices } from './slices.js';

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
