import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newKsuid, Pepper } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { CreationService } from '../src/regulations/creation.service.js';
import { SCHEMA } from '../src/schema.js';
import { Attributes, MatchKeys } from '../src/secrets/match-keys.js';
import { workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const workspace = (id = newKsuid()) => workspaceOf(db.dataSource, id, { suppression: 10, deletion: 10 });
const claim = (key: string, fingerprint = 'f') => ({ idempotency: { key, fingerprint } });
const users = (count: number) => Array.from({ length: count }, (_, n) => ({ userId: `u${n}` }));
const conflict = expect.objectContaining({ code: 'conflict' });
const rowsOf = async (table: string, workspaceId: string) =>
  db.dataSource.query<object[]>(`SELECT * FROM ${table} WHERE workspace_id = $1`, [workspaceId]);

describe('an idempotency key', () => {
  it('answers the same ids again, for nothing', async () => {
    const own = workspace();
    const first = await own.post({ users: users(4), ...claim('k') });
    expect(first.replayed).toBeUndefined();
    const again = await own.post({ users: users(4), ...claim('k') });
    expect(again).toEqual({ ids: first.ids, replayed: true, budgets: [expect.objectContaining({ remaining: 6 })] });
    expect(await own.recall(claim('k').idempotency)).toEqual({ ids: first.ids });
    expect((await own.list()).records).toHaveLength(4);
  });

  it('with another body is a conflict, and in another workspace another key', async () => {
    const own = workspace();
    await own.post(claim('k'));
    await expect(own.post(claim('k', 'other'))).rejects.toEqual(conflict);
    await expect(own.recall(claim('k', 'other').idempotency)).rejects.toEqual(conflict);
    expect((await own.list()).records).toHaveLength(1);
    expect((await workspace().post(claim('k', 'other'))).replayed).toBeUndefined();
  });

  it('by many at once makes one', async () => {
    const own = workspace();
    const answers = await Promise.all(Array.from({ length: 8 }, () => own.post(claim('k'))));
    expect(new Set(answers.flatMap(({ ids }) => ids)).size).toBe(1);
    expect((await own.list()).records).toHaveLength(1);
  });

  it('of a refused request is free', async () => {
    const own = workspace();
    await own.create({ users: users(10) });
    await expect(own.post(claim('k'))).rejects.toEqual(expect.objectContaining({ code: 'rate_limited' }));
    expect(await own.recall(claim('k').idempotency)).toEqual({});
    expect(await rowsOf('idempotency_keys', own.workspaceId)).toEqual([]);
  });

  it('is forgotten after a day, also by itself', async () => {
    const own = workspace();
    await own.post(claim('k'));
    await db.dataSource.query("UPDATE idempotency_keys SET created_at = now() - interval '24 hours'");
    expect(await own.recall(claim('k', 'other').idempotency)).toEqual({});
    expect((await own.post(claim('k', 'other'))).replayed).toBeUndefined();
    await db.dataSource.query("UPDATE idempotency_keys SET created_at = now() - interval '24 hours'");
    await workspace().post(claim('another'));
    expect(await rowsOf('idempotency_keys', own.workspaceId)).toEqual([]);
  });

  it('is not kept in clear', async () => {
    const own = workspace();
    const secret = randomUUID();
    await own.post(claim(secret, secret));
    const rows = await db.dataSource.query('SELECT row_to_json(k)::text AS text FROM idempotency_keys AS k');
    expect(JSON.stringify(rows)).not.toContain(secret);
    const [{ key }] = (await rowsOf('idempotency_keys', own.workspaceId)) as [{ key: Buffer }];
    expect(key).toHaveLength(32);
  });
});

describe('a plan', () => {
  const destinations = ['WEBHOOK', 'REDIS', 'NO_SUCH_KIND'].map((type) => ({ id: newKsuid(), type }));

  it('says cost, budgets and what each destination could do, and stores nothing', async () => {
    const own = workspace();
    const plan = await own.plan({ regulationType: 'suppress_with_delete', users: users(3), destinations });
    expect(plan).toMatchObject({
      cost: { suppression: 3, deletion: 9 },
      covered: true,
      budgets: [
        { name: 'suppression', remaining: 10, resetSeconds: 0 },
        { name: 'deletion', remaining: 10 },
      ],
      destinations: [{ deletion: 'if_configured' }, { deletion: 'supported' }, { deletion: 'not_supported' }],
    });
    for (const table of ['regulations', 'audit', 'budgets', 'deletion_tasks', 'idempotency_keys']) {
      expect(await rowsOf(table, own.workspaceId)).toEqual([]);
    }
  });

  it('and a creation say which destinations cannot delete as they are configured, and what to set', async () => {
    const own = workspace();
    const bare = { id: newKsuid(), type: 'WEBHOOK', configKeys: ['webhookUrl'] };
    const able = { id: newKsuid(), type: 'WEBHOOK', configKeys: ['webhookUrl', 'deletionUrl'] };
    const request = { regulationType: 'suppress_with_delete' as const, destinations: [bare, able] };
    const reason = 'it cannot delete as configured: set config.deletionUrl';
    const undeletable = [{ destinationId: bare.id, deletion: 'not_supported', reason }];
    const { destinations } = await own.plan(request);
    expect(destinations).toMatchObject([...undeletable, { destinationId: able.id, deletion: 'supported' }]);
    expect(await own.post(request)).toMatchObject({ ids: [expect.any(String)], undeletable });
    expect(await own.post({ ...request, destinations: [able] })).not.toHaveProperty('undeletable');
  });

  it('says that a budget does not cover it, and refuses what a create would', async () => {
    const own = workspace();
    await own.create({ users: users(8) });
    expect(await own.plan({ users: users(3) })).toMatchObject({ covered: false, budgets: [{ remaining: 2 }] });
    await expect(own.plan({ users: [{ userId: ' ' }] })).rejects.toEqual(expect.objectContaining({ code: 'invalid' }));
    await expect(own.plan({ users: users(11) })).rejects.toEqual(expect.objectContaining({ code: 'too_large' }));
  });
});

/** Counts the turns of the event loop during the work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

it('sealing five thousand users leaves the event loop to others in between', async () => {
  const many = users(5_000).map((user) => ({ ...user, note: 'x'.repeat(100) }));
  const nobody = undefined as never;
  const matchKeys = new MatchKeys(new Pepper(randomBytes(32).toString('base64')));
  const refuse = () => Promise.reject(new Error('the database comes next'));
  const creation = new CreationService(
    { transaction: refuse } as never,
    matchKeys,
    new Attributes(matchKeys),
    { check: () => undefined } as never,
    nobody,
    nobody,
  );
  const request = {
    ...{ workspaceId: newKsuid(), createdBy: 'ada', regulationType: 'suppress' as const },
    ...{ sourceIds: null, destinations: [], users: many },
  };
  const turns = await turnsDuring(() => creation.create(request).catch(() => undefined));
  expect(turns).toBeGreaterThan(3);
});
