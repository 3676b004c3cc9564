import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Pepper } from '@weir/service-kit';
import { userKeys } from '../../test/user-keys.js';
import { UserTraces } from '../purge/traces.js';
import { UserKeys } from '../secrets/user-keys.js';
import { Contributors } from './contributors.js';
import { withoutValues } from './stored-counters.js';
import { ValueTable } from './value-table.js';

const people = new Contributors(userKeys);
const of = (event: object) => people.of('workspace', { ...event });
const [ada, bob] = [of({ userId: 'ada' }), of({ userId: 'bob' })];

describe('an event', () => {
  it('is its user’s, however the id is written, or else its anonymous one’s', () => {
    expect(of({ userId: 'ada', anonymousId: 'a1' })).toBe(ada);
    expect(of({ userId: ' ada ' })?.key).toBe(ada?.key);
    expect(of({ userId: 7 })?.key).toBe(of({ userId: '7' })?.key);
    expect(of({ userId: ' ', anonymousId: 'ada' })?.key).toBe(userKeys.anonymousKey('workspace', 'ada'));
    expect(of({ anonymousId: 'ada' })?.key).not.toBe(ada?.key);
    expect(people.of('elsewhere', { userId: 'ada' })?.key).not.toBe(ada?.key);
  });

  it.each([{}, { userId: '' }, { userId: null }, { userId: { id: 'ada' } }, { anonymousId: [] }])(
    'without an id is nobody’s: %j',
    (event) => expect(of(event)).toBeUndefined(),
  );
});

describe('a value', () => {
  const tableOf = (...seen: [value: string, by: typeof ada][]) => {
    const table = new ValueTable(10);
    for (const [value, by] of seen) table.observe('note', value, by);
    return table;
  };
  const again = (table: ValueTable) => ValueTable.decode(table.encode(), 10);
  const ofSeveral = (table: ValueTable) => table.frequent(100, 'of several')['note']?.map(({ Value }) => Value) ?? [];

  it('is of one until a second one has it, or somebody without a name', () => {
    const table = tableOf(['a', ada], ['a', ada], ['b', ada], ['b', bob], ['b', ada], ['c', ada], ['c', undefined]);
    expect(ofSeveral(table)).toEqual(['b', 'c']);
    expect(ofSeveral(again(table))).toEqual(['b', 'c']);
    expect(table.frequent(100)['note']).toHaveLength(3);
  });

  it('is of one, whichever part it was in', () => {
    const table = again(tableOf(['a', ada], ['b', ada], ['c', ada]));
    table.merge(again(tableOf(['a', ada], ['b', bob], ['d', bob])));
    expect(ofSeveral(again(table))).toEqual(['b']);
  });

  it('that was stored before anybody knew whose it is, is nobody’s alone', () => {
    const stored = JSON.stringify([['note', 2, 0, 0, [['a', 2, 0]]]]);
    expect(ofSeveral(ValueTable.decode(stored, 10))).toEqual(['a']);
  });

  it('goes with its user, and the user’s key goes when nothing else needs it', () => {
    const stored = tableOf(['a', ada], ['b', bob], ['c', ada], ['c', bob]).encode();
    expect(stored).toContain(ada?.key);
    const left = withoutValues(stored, (_value, _path, key) => key === ada?.key) ?? '';
    expect(left).not.toContain(ada?.key);
    expect(left).toContain(bob?.key);
    expect(
      ValueTable.decode(left, 10)
        .frequent(100)
        ['note']?.map(({ Value }) => Value),
    ).toEqual(['c', 'b']);
  });

  it('is of one, whichever pepper of a rotation it was seen under, and is found by each', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64'));
    const before = new UserKeys(new Pepper(`${older}`));
    const after = new UserKeys(new Pepper(`${newer},${older}`));
    const by = (keys: UserKeys, userId: string) => new Contributors(keys).of('workspace', { userId });
    const seenBefore = () =>
      again(tableOf(['a', by(before, 'ada')], ['b', by(before, 'ada')], ['old', by(before, 'ada')]));
    const seenAfter = () => again(tableOf(['a', by(after, 'ada')], ['b', by(after, 'bob')], ['new', by(after, 'ada')]));
    for (const [first, second] of [
      [seenBefore(), seenAfter()],
      [seenAfter(), seenBefore()],
    ] as const) {
      first.merge(second);
      const stored = again(first).encode();
      expect(ofSeveral(ValueTable.decode(stored, 10))).toEqual(['b']);
      const traces = new UserTraces([], after.userKeys('workspace', 'ada'));
      const left = withoutValues(stored, (value, path, key) => traces.isValue(value, path, key)) ?? '';
      const values = ValueTable.decode(left, 10).frequent(100)['note'];
      expect(values?.map(({ Value }) => Value)).toEqual(['b']);
    }
  });
});
