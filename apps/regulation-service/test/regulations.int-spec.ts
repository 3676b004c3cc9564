import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { REGULATION_PAGE_SIZE } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { firstBreak } from '../src/audit/audit.chain.js';
import { FACTS_AT_ONCE, readTrail } from '../src/audit/audit.repository.js';
import { SCHEMA } from '../src/schema.js';
import { type Workspace, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const workspace = () => workspaceOf(db.dataSource);
const numbered = (count: number, prefix = 'u') =>
  Array.from({ length: count }, (_, n) => ({ userId: `${prefix}${n}` }));
const refusedAs = (code: string) => expect.objectContaining({ code });

async function listAll(of: Workspace) {
  const pages = [await of.list()];
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await of.list(next));
  return pages;
}

const count = async (table: string) =>
  (await db.dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;

/** Counts the statements that the work sends to the database. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const log = jest.spyOn(db.dataSource.logger, 'logQuery');
  try {
    await work();
    return log.mock.calls.length;
  } finally {
    log.mockRestore();
  }
}

describe('creating', () => {
  it('makes one record per user, in the order of the users, with the five fields', async () => {
    const own = workspace();
    const users = [
      { userId: 'zoe' },
      { userId: ' ada ', email: 'Ada@Example.com', 'crm id': '007', phone: 4_930, vip: true },
      { userId: 'zoe' },
    ];
    const ids = await own.create({ users });
    const { records, next } = await own.list();
    const common = { workspaceId: own.workspaceId, canceled: false, regulationType: 'suppress' };
    expect(records).toEqual(users.map((attributes, n) => ({ id: ids[n], ...common, attributes })));
    expect(next).toBeUndefined();
    expect(new Set(ids).size).toBe(3);
  });

  it('stores nothing of a request with one bad user', async () => {
    const own = workspace();
    const before = await count('suppressions');
    await expect(own.create({ users: [...numbered(3), { userId: '  ' }] })).rejects.toEqual(refusedAs('invalid'));
    expect((await own.list()).records).toEqual([]);
    expect(await count('suppressions')).toBe(before);
  });

  it('shows times, sources and frozen destinations on the single record', async () => {
    const own = workspace();
    const [source, destination] = [newKsuid(), newKsuid()];
    const suppress = await own.createOne({ sourceIds: [source, source] });
    expect(await own.get(suppress)).toEqual({
      ...{ id: suppress, workspaceId: own.workspaceId, canceled: false, regulationType: 'suppress' },
      ...{ attributes: { userId: 'ada' }, createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), sourceIds: [source] },
    });
    const withDelete = await own.createOne({
      regulationType: 'suppress_with_delete',
      destinations: [
        { id: destination, type: 'WEBHOOK' },
        { id: destination, type: 'WEBHOOK' },
      ],
    });
    const reason = 'waits until events that were already on their way have ended, at least 13 s';
    const waiting = { status: 'pending', attempts: 0, reason };
    expect(await own.get(withDelete)).toMatchObject({
      destinationIds: [destination],
      deletion: {
        status: 'pending',
        destinations: [
          { destinationId: destination, ...waiting },
          { destinationId: 'internal:schema', name: 'Sampled events and frequent values that Weir keeps', ...waiting },
          { destinationId: 'internal:runner', name: 'Test runs and dead letters that Weir keeps', ...waiting },
        ],
      },
    });
  });

  it('takes 5,000 users with the statements of one and the chunks of the trail, and the last page has no next', async () => {
    const [own, other] = [workspace(), workspace()];
    const sourceIds = [newKsuid()];
    const ofOne = await statementsOf(() => other.create({ users: numbered(1), sourceIds }));
    expect(ofOne).toBeGreaterThan(0);
    const ofAll = await statementsOf(() => own.create({ users: numbered(5_000), sourceIds }));
    expect(ofAll).toBe(ofOne - 1 + 5_000 / FACTS_AT_ONCE);
    const pages = await listAll(own);
    expect(pages.map(({ records }) => records.length)).toEqual(Array(100).fill(REGULATION_PAGE_SIZE));
    expect(pages.flatMap(({ records }) => records.map((record) => record.attributes['userId']))).toEqual(
      numbered(5_000).map(({ userId }) => userId),
    );
  });

  it('leaves no identifier in clear in any table', async () => {
    const own = workspace();
    const secret = `needle-${randomUUID()}`;
    const destinations = [{ id: newKsuid(), type: 'WEBHOOK' }];
    const users = [{ userId: secret, email: `${secret}@example.com` }];
    const id = await own.createOne({ users, regulationType: 'suppress_with_delete', destinations });
    await own.cancel(id);
    const tables = await db.dataSource.query<{ name: string }[]>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    );
    expect(tables.length).toBeGreaterThan(7);
    for (const { name } of tables) {
      const rows = await db.dataSource.query<{ text: string }[]>(
        `SELECT row_to_json(t)::text AS text FROM ${name} AS t`,
      );
      expect(rows.map(({ text }) => text).join()).not.toContain(secret);
    }
  });
});

describe('the list', () => {
  it('meets each older record once while others are added', async () => {
    const own = workspace();
    const ids = await own.create({ users: numbered(REGULATION_PAGE_SIZE + 10) });
    const first = await own.list();
    await own.create({ users: numbered(5, 'late') });
    const second = await own.list(first.next);
    const seen = [...first.records, ...second.records].map(({ id }) => id);
    expect(seen.slice(0, ids.length)).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('has no next when a page ends with the last record', async () => {
    const own = workspace();
    await own.create({ users: numbered(REGULATION_PAGE_SIZE) });
    expect(Object.keys(await own.list())).toEqual(['records']);
  });

  it('begins with the newest on request, and its cursor leads to older ones only', async () => {
    const own = workspace();
    const ids = await own.create({ users: numbered(REGULATION_PAGE_SIZE + 10) });
    const first = await own.list(undefined, { order: 'desc' });
    await own.create({ users: numbered(5, 'late') });
    const second = await own.list(first.next, { order: 'desc' });
    expect([...first.records, ...second.records].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.next).toBeUndefined();
    for (const order of [undefined, 'asc'] as const)
      await expect(own.list(first.next, { order })).rejects.toEqual(refusedAs('invalid'));
  });

  it('refuses a cursor of another workspace', async () => {
    const [own, other] = [workspace(), workspace()];
    await other.create({ users: numbered(REGULATION_PAGE_SIZE + 1) });
    const { next } = await other.list();
    await expect(own.list(next)).rejects.toEqual(refusedAs('invalid'));
  });
});

describe('cancelling', () => {
  it('keeps the record, and a second time changes nothing', async () => {
    const own = workspace();
    const id = await own.createOne({});
    await own.cancel(id);
    const canceled = await own.get(id);
    await own.cancel(id);
    expect(await own.get(id)).toEqual(canceled);
    expect(canceled).toMatchObject({ canceled: true, canceledAt: expect.any(String) });
    expect((await own.list()).records).toMatchObject([{ id, canceled: true }]);
  });

  it('cancels deletions that nobody has begun', async () => {
    const own = workspace();
    const destinations = [{ id: newKsuid(), type: 'WEBHOOK' }];
    const id = await own.createOne({ regulationType: 'suppress_with_delete', destinations });
    await own.cancel(id);
    const { deletion } = await own.get(id);
    expect(deletion?.status).toBe('canceled');
    expect(deletion?.destinations.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled']);
  });

  it('by many at once is one cancel', async () => {
    const own = workspace();
    const id = await own.createOne({});
    await Promise.all(Array.from({ length: 8 }, () => own.cancel(id)));
    const trail = await readTrail(db.dataSource, own.workspaceId);
    expect(trail.map(({ action }) => action)).toEqual(['regulation.created', 'regulation.canceled']);
  });
});

describe('another workspace', () => {
  it('finds nothing, whether the record exists or not', async () => {
    const [own, other] = [workspace(), workspace()];
    const id = await own.createOne({});
    for (const unknown of [id, randomUUID()]) {
      await expect(other.get(unknown)).rejects.toEqual(refusedAs('not_found'));
      // The gateway's text for a malformed id, so that nothing tells the two cases apart.
      await expect(other.get(unknown)).rejects.toThrow('regulation not found');
      await expect(other.cancel(unknown)).rejects.toEqual(refusedAs('not_found'));
    }
    expect((await other.list()).records).toEqual([]);
    expect((await own.get(id)).canceled).toBe(false);
  });

  it('with the same user is not suppressed', async () => {
    const [own, other] = [workspace(), workspace()];
    await own.create({ users: [{ userId: 'ada' }] });
    expect(await other.check(newKsuid(), 'ada')).toEqual([]);
  });
});

describe('the audit trail', () => {
  it('is one whole chain, also when many write at once', async () => {
    const own = workspace();
    const ids = (await Promise.all(Array.from({ length: 6 }, () => own.create({ users: numbered(3) })))).flat();
    await Promise.all(ids.slice(0, 9).map((id) => own.cancel(id)));
    const trail = await readTrail(db.dataSource, own.workspaceId);
    expect(trail).toHaveLength(18 + 9);
    expect(firstBreak(trail)).toBeUndefined();
    expect(new Set(trail.map(({ actor }) => actor))).toEqual(new Set(['ops@example.com']));
  });

  it.each(['UPDATE audit SET actor = actor', 'DELETE FROM audit', 'TRUNCATE audit'])('refuses %s', async (sql) => {
    await workspace().create({});
    await expect(db.dataSource.query(sql)).rejects.toThrow('append-only');
  });
});
