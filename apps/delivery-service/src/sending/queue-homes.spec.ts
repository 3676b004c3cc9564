import { expect, it } from '@jest/globals';
import { tenancy } from './queue-homes.js';

it('removes a message with the last of its batches, and tells all of them', async () => {
  let removals = 0;
  const done = tenancy(2, async () => {
    removals += 1;
    return false;
  });
  const first = done();
  expect(removals).toBe(0);
  expect(await Promise.all([first, done()])).toEqual([false, false]);
  expect(removals).toBe(1);
});
