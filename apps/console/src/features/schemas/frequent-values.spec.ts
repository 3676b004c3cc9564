import { expect, it } from '@jest/globals';
import { frequentValuesOf } from './frequent-values.js';

it('a value that came once is not frequent', () => {
  const all = { plan: [{ Value: 'plus', Frequency: 3 }], id: [{ Value: 'A-1', Frequency: 1 }] };
  expect(frequentValuesOf(all, 'plan')).toEqual([{ value: 'plus', events: 3 }]);
  expect(frequentValuesOf(all, 'id')).toEqual([]);
});
