import { expect, it } from '@jest/globals';
import { chunksOf } from './chunks.js';

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
