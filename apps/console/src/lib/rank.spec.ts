import { expect, it } from '@jest/globals';
import { bestOf, rankOf } from './rank.js';

it.each([
  ['Warehouse', 'wa', 1],
  ['The warehouse', 'WA ', 0.8],
  ['Hardware', 'wa', 0.5],
  ['iOS app', 'wa', 0],
  ['iOS app', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', 1],
])('%s ranks by its name: %s', (name, typed, rank) => {
  expect(rankOf('0ujtsYcgvSTl8PAuAdqWYSMnLOv', typed, [name])).toBe(rank);
});

it('of thousands of names, the palette gets the best of all', () => {
  const rows = Array.from({ length: 2_001 }, (_, at) => ({ id: `id-${at}`, name: `Shop ${at}` }));
  expect(bestOf(rows, '', 2)).toEqual(rows.slice(0, 2));
  expect(bestOf(rows, 'shop 2000', 50)).toEqual([rows[2_000]]);
  expect(bestOf(rows, '20', 2).map(({ name }) => name)).toEqual(['Shop 20', 'Shop 200']);
  expect(bestOf([...rows, { id: 'x', name: '2000 shops' }], '2000', 1)).toEqual([{ id: 'x', name: '2000 shops' }]);
});
