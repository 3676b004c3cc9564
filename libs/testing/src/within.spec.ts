import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { within } from './within.js';

it('a promise that is kept once is kept, for the machine may be busy', async () => {
  let attempts = 0;
  const slowAtFirst = async () => {
    attempts += 1;
    if (attempts < 3) await delay(60);
    return attempts;
  };
  expect(await within(50, slowAtFirst)).toBe(3);
});

it('a promise that is never kept is told with every time', async () => {
  await expect(within(1, () => delay(20))).rejects.toThrow(/^promised within 1 ms, and took (\d+, ){4}\d+ ms$/);
});
