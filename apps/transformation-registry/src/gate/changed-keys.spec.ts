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

  it('take bounded time and room for long names above many keys', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]));
    const startedAt = performance.now();
    const { keysAdded } = changedKeys([], [{ ['x'.repeat(250_000)]: many, ...many }]);
    expect(keysAdded).toHaveLength(100);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
