import { describe, expect, it } from '@jest/globals';
import { changedKeys } from './changed-keys.js';

describe('changed keys', () => {
  it('are added, removed or changed, by dotted path', () => {
    const before = [{ same: [1], user: { name: 'a', mail: 'b' }, empty: {} }];
    const after = [{ same: [1], user: { name: 'c', id: 1 } }];
    expect(changedKeys(before, after)).toEqual({
      keysAdded: ['user.id'],
      keysRemoved: ['user.mail', 'empty'],
      keysChanged: ['user.name'],
    });
  });

  it('of a fan-out are those of all its events', () => {
    expect(changedKeys([{ a: 1, b: 1 }], [{ a: 1 }, { b: 1 }])).toEqual({
      ...{ keysAdded: [], keysRemoved: [], keysChanged: [] },
    });
    expect(changedKeys([{ a: 1 }], [{ a: 1 }, { a: 2 }]).keysChanged).toEqual(['a']);
  });

  it('of many are the first ones, and what lies beyond is not looked at', () => {
    const many = (value: number) => Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, value]));
    expect(changedKeys([], [many(1)]).keysAdded).toEqual(Array.from({ length: 100 }, (_, n) => `k${n}`));
    const [before, after] = [many(1), many(1)];
    for (const key of ['k0', 'k9999', 'k10000', 'k19999']) after[key] = 2;
    expect(changedKeys([before], [after]).keysChanged).toEqual(['k0', 'k9999']);
  });

  it('below a long name are one with it', () => {
    const long = 'x'.repeat(512);
    const event = (n: number) => ({ [long]: { a: n, b: 1 }, [`${long.slice(1)}`]: { a: n, b: 1 } });
    expect(changedKeys([event(1)], [event(2)]).keysChanged).toEqual([long, `${long.slice(1)}.a`]);
  });
});
