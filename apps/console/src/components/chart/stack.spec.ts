import { expect, it } from '@jest/globals';
import { heightsOf } from './stack.js';

it('each part stands on those below it', () => {
  expect(heightsOf([{ values: [1, 2] }, { values: [0, 5] }, { values: [3, 0] }])).toEqual([
    [1, 2],
    [1, 7],
    [4, 7],
  ]);
  expect(heightsOf([])).toEqual([]);
});
