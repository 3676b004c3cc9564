import { expect, it } from '@jest/globals';
import { SLICE_MS, Slices } from './slices.js';

it('a slice lasts for its time, and others have a turn before the next one', async () => {
  const slices = new Slices();
  const startedAt = performance.now();
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  while (!slices.isOver);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(SLICE_MS);
  expect(others).toBe(0);
  await slices.next();
  expect(others).toBe(1);
});
