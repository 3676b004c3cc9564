import { expect, it, jest } from '@jest/globals';
import { AppError } from './errors.js';
import { inHalves } from './halves.js';

/** Answers with its items, up to a sum of 10. */
const call = (items: readonly number[]): Promise<readonly number[]> =>
  items.reduce((sum, item) => sum + item, 0) <= 10
    ? Promise.resolve(items)
    : Promise.reject(new AppError('too_large', 'the answer is too large'));

it('calls once where the answer fits', async () => {
  const counted = jest.fn(call);
  expect(await inHalves([1, 2, 3], counted)).toEqual([[1, 2, 3]]);
  expect(counted).toHaveBeenCalledTimes(1);
});

it('calls with halves until each answer fits, in order', async () => {
  expect(await inHalves([1, 2, 8, 9, 1], call)).toEqual([[1, 2], [8], [9, 1]]);
});

it('gives up on a single item, and on another error at once', async () => {
  await expect(inHalves([1, 11], call)).rejects.toThrow('the answer is too large');
  const broken = jest.fn(() => Promise.reject(new Error('away')));
  await expect(inHalves([1, 2], broken)).rejects.toThrow('away');
  expect(broken).toHaveBeenCalledTimes(1);
});
