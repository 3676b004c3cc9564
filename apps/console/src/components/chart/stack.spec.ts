import { expect, it } from '@jest/globals';
import { heightsOf, levelsOf } from './stack.js';

it('each part stands on those below it', () => {
  expect(heightsOf([{ values: [1, 2] }, { values: [0, 5] }, { values: [3, 0] }])).toEqual([
    [1, 2],
    [1, 7],
    [4, 7],
  ]);
  expect(heightsOf([])).toEqual([]);
});

it('the grid has few lines, in whole steps, and none of the bars ends above the last one', () => {
  expect([0, 1, 4, 7, 11, 95, 2_300].map(levelsOf)).toEqual([
    [0, 1],
    [0, 1],
    [0, 2, 4],
    [0, 5, 10],
    [0, 5, 10, 15],
    [0, 50, 100],
    [0, 1_000, 2_000, 3_000],
  ]);
  // the chart asks again with the last level
  for (const most of Array.from({ length: 500 }, (_, at) => at + 1)) {
    const levels = levelsOf(most);
    expect(levels.at(-1)).toBeGreaterThanOrEqual(most);
    expect(levelsOf(levels.at(-1) ?? 0)).toEqual(levels);
  }
});
