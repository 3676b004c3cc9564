import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { acceptedSubject, orderIdOf, rawSubject } from './events.js';
import { PARTITIONS } from './limits.js';
import { partitionOf, partitionOfBatch, spreadPartitionOf } from './partitions.js';

const SOURCE = { workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv', id: '0ujzPyRiIAffKhBux4PvQdDqMHY' };
const ids = { workspaceId: SOURCE.workspaceId, sourceId: SOURCE.id };
const FIRST = partitionOf(SOURCE.workspaceId, SOURCE.id);
const numbers = fc.integer({ min: 1, max: PARTITIONS });
const usersOf = (nameOf: (n: number) => string) => Array.from({ length: 4_000 }, (_, n) => nameOf(n));

describe('spreadPartitionOf', () => {
  it('is stable: the order of a user rests on it', () => {
    const places = ['u1', 'ada@example.com', '42'].map((user) =>
      spreadPartitionOf({ ...SOURCE, partitions: 16 }, user),
    );
    expect([FIRST, ...places]).toMatchInlineSnapshot(`
[
  6,
  7,
  13,
  6,
]
`);
  });

  it('is the partition of the source if that is not spread', () => {
    fc.assert(
      fc.property(fc.string(), (user) => expect(spreadPartitionOf({ ...SOURCE, partitions: 1 }, user)).toBe(FIRST)),
    );
  });

  it('is one of the partitions from the first on, in a circle', () => {
    fc.assert(
      fc.property(fc.string(), numbers, (user, partitions) => {
        const step = (spreadPartitionOf({ ...SOURCE, partitions }, user) - FIRST + PARTITIONS) % PARTITIONS;
        expect(step).toBeLessThan(partitions);
      }),
    );
  });

  it.each([
    ['numbers', usersOf(String)],
    ['even numbers', usersOf((n) => String(2 * n))],
    ['names with a number', usersOf((n) => `user-${n}`)],
    ['doubled characters', usersOf((n) => String(n).replaceAll(/./g, '$&$&'))],
    ['e-mail addresses', usersOf((n) => `${n}@example.com`)],
  ])('uses every partition about as much for %s', (_, users) => {
    for (const partitions of [2, 3, 16]) {
      const places = Map.groupBy(users, (user) => spreadPartitionOf({ ...SOURCE, partitions }, user));
      expect(places.size).toBe(partitions);
      const fair = users.length / partitions;
      for (const of of places.values()) expect(Math.abs(of.length - fair)).toBeLessThan(0.25 * fair);
    }
  });
});

describe('partitionOfBatch', () => {
  it('is that of the source for a batch that names none, and so are its subjects', () => {
    expect(partitionOfBatch(ids)).toBe(FIRST);
    expect(rawSubject(ids)).toBe(`events.raw.${FIRST}.${ids.workspaceId}.${ids.sourceId}`);
  });

  it('is the one that the batch names, and so are its subjects', () => {
    const partition = (FIRST + 5) % PARTITIONS;
    expect(partitionOfBatch({ ...ids, partition })).toBe(partition);
    expect(rawSubject({ ...ids, partition })).toBe(`events.raw.${partition}.${ids.workspaceId}.${ids.sourceId}`);
    expect(acceptedSubject({ ...ids, partition })).toContain(`events.accepted.${partition}.`);
  });
});

describe('orderIdOf', () => {
  it.each([
    [{ userId: ' u1 ', anonymousId: 'a' }, 'u1'],
    [{ userId: 42 }, '42'],
    [{ userId: ' ', anonymousId: ' a ' }, 'a'],
    [{ anonymousId: 7 }, '7'],
    [{ type: 'alias', userId: 'u1', previousId: 'u0' }, 'u1'],
    [{}, undefined],
  ])('of %j is %j', (event, id) => {
    expect(orderIdOf(event)).toBe(id);
  });
});
