import { describe, expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { seeded, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const workspace = () => workspaceOf(db.dataSource);
const [SHOP, BLOG] = [newKsuid(), newKsuid()];

describe('the check before a delivery', () => {
  it('answers the suppressed users among those asked, as they were asked', async () => {
    const own = workspace();
    await own.create({ users: [{ userId: ' ada ' }, { userId: '42' }] });
    expect(await own.check(SHOP, 'bob', 'ada', 'Ada', '42', 'ad')).toEqual(['ada', '42']);
    expect(await own.check(SHOP)).toEqual([]);
  });

  it('knows the sources of a regulation', async () => {
    const own = workspace();
    await own.create({ sourceIds: [SHOP] });
    expect(await own.check(SHOP, 'ada')).toEqual(['ada']);
    expect(await own.check(BLOG, 'ada')).toEqual([]);
  });

  it('covers every source with suppress_with_delete', async () => {
    const own = workspace();
    await own.create({ regulationType: 'suppress_with_delete' });
    expect(await own.check(BLOG, 'ada')).toEqual(['ada']);
  });

  it.each(['*', `ada${SHOP}`, `${SHOP}ada`, "a'; DROP TABLE suppressions; --", '', '\\x00'])(
    'does not take the user id %j for anything else',
    async (userId) => {
      const own = workspace();
      await own.create({ users: [{ userId: 'ada' }] });
      expect(await own.check(SHOP, userId)).toEqual([]);
    },
  );
});

describe('overlapping regulations', () => {
  const SCOPES = [null, [SHOP], [BLOG], [SHOP, BLOG], null];

  it.each(Array.from({ length: 24 }, (_, seed) => seed))('hold until the last is cancelled: order %d', async (seed) => {
    const random = seeded(seed);
    const shuffled = <T>(items: T[]) => items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at);
    const own = workspace();
    const active = new Map<string, string[] | null>();
    for (const { item: sourceIds } of shuffled(SCOPES)) active.set(await own.createOne({ sourceIds }), sourceIds);
    for (const { item: id } of shuffled([...active.keys()])) {
      await own.cancel(id);
      active.delete(id);
      for (const source of [SHOP, BLOG]) {
        const expected = [...active.values()].some((sourceIds) => !sourceIds || sourceIds.includes(source));
        expect(await own.check(source, 'ada')).toEqual(expected ? ['ada'] : []);
      }
    }
  });

  it('suppress again after a cancel, under a new id', async () => {
    const own = workspace();
    const first = await own.createOne({});
    await own.cancel(first);
    expect(await own.check(SHOP, 'ada')).toEqual([]);
    const second = await own.createOne({});
    expect(second).not.toBe(first);
    await own.cancel(first);
    expect(await own.check(SHOP, 'ada')).toEqual(['ada']);
  });
});
