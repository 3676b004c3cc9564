import { expect, it } from '@jest/globals';
import { merged, objectOf } from './object-of.js';

const odd = JSON.parse('{"__proto__":{"polluted":1},"a":1}') as Record<string, unknown>;

it('an object of entries is what the platform makes of them', () => {
  const entries: [string, unknown][] = [['b', 1], ['2', 2], ...Object.entries(odd), ['b', 3], ['c', undefined]];
  const [made, expected] = [objectOf(entries), Object.fromEntries(entries)];
  expect(Object.entries(made)).toEqual(Object.entries(expected));
  expect([Object.getPrototypeOf(made), Reflect.get({}, 'polluted')]).toEqual([Object.prototype, undefined]);
});

it('merged objects are what the language makes by spreading them', () => {
  const [one, other] = [
    { b: 1, '2': 2, c: undefined },
    { ...odd, b: { deep: true } },
  ];
  const made = merged(one, {}, other);
  expect(Object.entries(made)).toEqual(Object.entries({ ...one, ...other }));
  expect([Object.getPrototypeOf(made), Reflect.get({}, 'polluted')]).toEqual([Object.prototype, undefined]);
  expect(one).toEqual({ b: 1, '2': 2, c: undefined });
});
