import { expect, it } from '@jest/globals';
import { rowOf } from './row.js';

const outcomeOf = (outcome: unknown) => rowOf('delivery', JSON.stringify({ outcome }))?.outcome;

it('calls nothing delivered that the server did not', () => {
  expect(['delivered', 'dead', 'put_aside', undefined, 7].map(outcomeOf)).toEqual([
    'delivered',
    'dead',
    'put_aside',
    'unknown',
    'unknown',
  ]);
});
