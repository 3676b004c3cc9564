import { expect, it, jest } from '@jest/globals';
import { chunksOf, inHalves } from './chunks.js';
import { AppError } from './errors.js';

it.each([
  ['the number of items', [1, 2, 3, 4, 5], { itemsMax: 2 }, [[1, 2], [3, 4], [5]]],
  ['bytes of JSON', ['aaaa', 'bbbb', 'c'], { bytesMax: 14 }, [['aaaa', 'bbbb'], ['c']]],
  ['whichever bound comes first', [1, 2, 3, 44], { itemsMax: 3, bytesMax: 4 }, [[1, 2], [3], [44]]],
  ['another measure of bytes', [1, 2, 3], { bytesMax: 5, bytesOf: Number }, [[1, 2], [3]]],
])('cuts a list by %s', (_, items, bounds, chunks) => {
  expect(chunksOf<unknown>(items, bounds)).toEqual(chunks);
});

it('gives an oversized item a chunk of its own', () => {
  const items = ['small', 'far too large to fit', 'small'];
  expect(chunksOf(items, { bytesMax: 10 })).toEqual([['small'], ['far too large to fit'], ['small']]);
});

it('cuts nothing into no chunks', () => {
  expect(chunksOf([], { itemsMax: 9, bytesMax: 9 })).toEqual([]);
});

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
