import { expect, it } from '@jest/globals';
import { TimedMap } from './timed-map.js';

it('keeps what was set for a while, and not too much of it', () => {
  const map = new TimedMap<number>(10, 2);
  map.set('a', 1, 100);
  expect([map.get('a', 109), map.get('a', 110), map.get('b', 100)]).toEqual([1, undefined, undefined]);
  map.set('b', 2, 100);
  map.set('a', 3, 100);
  map.set('c', 4, 100);
  expect(['a', 'b', 'c'].map((key) => map.get(key, 100))).toEqual([3, undefined, 4]);
});
