import { expect, it } from '@jest/globals';
import { type FlattenOptions, flatten, merged, nested, objectOf } from './objects.js';

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

it('keys with dots become objects, and the given object stays as it is', () => {
  const given = { a: { b: 1 }, 'a.c': 2, 'x.y.z': [3], 'x.y': null, n: 4 };
  const before = structuredClone(given);
  expect(nested(given)).toEqual({ a: { b: 1, c: 2 }, x: { y: null }, n: 4 });
  expect(given).toEqual(before);
  expect(nested({ ...odd, '__proto__.polluted': 2 })).toEqual({ a: 1 });
  const deep = 'a.'.repeat(100_000);
  expect(nested({ [deep]: 1 })).toEqual({ [deep]: 1 });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it.each<[FlattenOptions['arrays'], string[]]>([
  ['brackets', ['a.b', 'words[0]', 'pets[0].name', 'none']],
  ['separator', ['a.b', 'words.0', 'pets.0.name', 'none']],
  ['keep', ['a.b', 'words', 'pets', 'none']],
  ['bracketObjects', ['a.b', 'words', 'pets[0].name', 'none']],
])('flat objects have lists as %s say', (arrays, keys) => {
  const flat = flatten({ a: { b: 1 }, words: ['x'], pets: [{ name: 'Rex' }], none: [] }, arrays ? { arrays } : {});
  expect(Object.keys(flat)).toEqual(keys);
});
