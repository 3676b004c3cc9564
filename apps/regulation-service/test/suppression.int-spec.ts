import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DeletionStatus } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { SEND_DEADLINE_MS } from '../src/deletion/barrier.service.js';
import { claimTasks, finishTasks } from '../src/deletion/task-claim.repository.js';
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

describe('a deletion that is cancelled between its destination and what Weir keeps', () => {
  /** Requests a deletion, lets its barrier pass, and begins it at its one destination alone. */
  async function begun() {
    const own = workspace();
    const destination = { id: newKsuid(), type: 'WEBHOOK' };
    const id = await own.createOne({ regulationType: 'suppress_with_delete', destinations: [destination] });
    const [passed] = await db.dataSource.query<{ at: Date }[]>(
      `WITH task AS (UPDATE deletion_tasks SET due_at = now() WHERE regulation_id = $1 RETURNING barrier_id),
         barrier AS (UPDATE deletion_barriers SET passed_at = now() WHERE id IN (SELECT barrier_id FROM task))
       SELECT now() AS at`,
      [id],
    );
    const owner = randomUUID();
    const { workspaceId } = own;
    const [task] = await claimTasks(db.dataSource, {
      ...{ workspaceId, destinationId: destination.id },
      ...{ owner, leaseMs: 60_000, limit: 1 },
    });
    const end = (status: DeletionStatus) => {
      const state = { status, reason: null, dueInMs: null, jobReference: null };
      return finishTasks(db.dataSource, owner, [{ id: task?.id ?? '', state, configMark: null }]);
    };
    return { own, id, end, until: passed?.at.toISOString() ?? '' };
  }
  const statusesOf = async ({ own, id }: Awaited<ReturnType<typeof begun>>) =>
    (await own.get(id)).deletion?.destinations.map(({ status }) => status);

  it.each(['complete', 'forwarded', 'failed', 'aborted'] as const)(
    'has deleted what came in before, although nothing else began: %s',
    async (status) => {
      const deletion = await begun();
      await deletion.end(status);
      await deletion.own.cancel(deletion.id);
      expect(await statusesOf(deletion)).toEqual([status, 'canceled', 'canceled']);
      expect(await deletion.own.checkDeleted('ada')).toEqual([{ userId: 'ada', until: deletion.until }]);
    },
  );

  it('counts while the destination is still at it', async () => {
    const deletion = await begun();
    await deletion.own.cancel(deletion.id);
    expect(await statusesOf(deletion)).toEqual(['running', 'canceled', 'canceled']);
    expect(await deletion.own.checkDeleted('ada')).toEqual([{ userId: 'ada', until: deletion.until }]);
  });

  it('has the same time limit while other tasks behind its barrier are still being opened, and afterwards', async () => {
    const deletion = await begun();
    const change = (set: string) =>
      db.dataSource.query<[{ until: Date }[], number]>(
        `UPDATE deletion_barriers SET ${set}
         WHERE id IN (SELECT barrier_id FROM deletion_tasks WHERE regulation_id = $1)
         RETURNING drained_at + $2 * interval '1 millisecond' AS until`,
        [deletion.id, SEND_DEADLINE_MS],
      );
    const [[barrier]] = await change(`drained_at = now() - interval '1 hour', passed_at = NULL`);
    await deletion.own.cancel(deletion.id);
    const expected = [{ userId: 'ada', until: barrier?.until.toISOString() }];
    expect(await deletion.own.checkDeleted('ada')).toEqual(expected);
    await change(`passed_at = now()`);
    expect(await deletion.own.checkDeleted('ada')).toEqual(expected);
  });

  it('has deleted nothing if the destination cannot delete', async () => {
    const deletion = await begun();
    await deletion.end('not_supported');
    await deletion.own.cancel(deletion.id);
    expect(await deletion.own.checkDeleted('ada')).toEqual([]);
  });
});

it('a cancel forgets some of what was lifted long ago, and not more than it can in its time', async () => {
  await db.dataSource.query(
    `INSERT INTO lifted_suppressions (user_key, source_id, lifted_at)
     SELECT sha256(n::text::bytea), '*', now() - interval '31 days' FROM generate_series(1, 5300) AS n`,
  );
  const left = async () => {
    const [row] = await db.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM lifted_suppressions WHERE lifted_at < now() - interval '30 days'`,
    );
    return row?.count;
  };
  const own = workspace();
  await own.cancel(await own.createOne({}));
  expect(await left()).toBe(300);
  await own.cancel(await own.createOne({}));
  expect(await left()).toBe(0);
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
