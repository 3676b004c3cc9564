import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { within } from './within.js';

/** A fake clock, so that the machine's load cannot change how long an attempt takes. */
let now = 0;
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

it('a promise that is kept once is kept, for the machine may be busy', async () => {
  let attempts = 0;
  const slowAtFirst = async () => {
    attempts += 1;
    if (attempts < 3) now += 51;
    return attempts;
  };
  expect(await within(50, slowAtFirst)).toBe(3);
});

it('a promise that is never kept is told with every time', async () => {
  const slower = async () => {
    now += 20;
  };
  await expect(within(19, slower)).rejects.toThrow('promised within 19 ms, and took 20, 20, 20, 20, 20 ms');
});
