import { afterEach, expect, it, jest } from '@jest/globals';
import { SLICE_MS, Slices } from './slices.js';

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
