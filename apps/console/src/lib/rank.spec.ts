import { expect, it } from '@jest/globals';
import { rankOf } from './rank.js';

it.each([
  ['Warehouse', 'wa', 1],
  ['The warehouse', 'WA ', 0.8],
  ['Hardware', 'wa', 0.5],
  ['iOS app', 'wa', 0],
  ['iOS app', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', 1],
])('%s ranks by its name: %s', (name, typed, rank) => {
  expect(rankOf('0ujtsYcgvSTl8PAuAdqWYSMnLOv', typed, [name])).toBe(rank);
});
