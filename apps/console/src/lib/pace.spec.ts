import { expect, it } from '@jest/globals';
import { paceOf } from './pace.js';

it.each([
  [5_000, 10, 5_000],
  [5_000, 1_000, 5_000],
  [15_000, 2_001, 30_015],
  [15_000, 10_000, 120_000],
  [5_000, 100_000, 120_000],
])('what is asked for every %d ms with %d rows is asked for every %d ms', (ms, rows, expected) => {
  expect(paceOf(ms, rows)).toBe(expected);
});
