import { expect, it } from '@jest/globals';
import { sortIn, sortText } from './sort.js';

it('an order comes back from the address', () => {
  for (const sort of [[], [{ id: 'Name', desc: false }], [{ id: 'Failed, 24 h', desc: true }]])
    expect(sortIn(sortText(sort))).toEqual(sort);
  expect([undefined, '', 7, {}].map(sortIn)).toEqual([[], [], [], []]);
});
