import { expect, it } from '@jest/globals';
import { inParallel } from './in-parallel.js';

it('keeps the order of the items and never runs more than asked at once', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([5, 1, 4, 2, 3], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setTimeout(done, item));
    running -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});
