import { beforeAll, describe, expect, it } from '@jest/globals';
import { DELIVERY_TIMEOUT_MS, PurgeDeliveryUsers, PurgeRunnerUsers, PurgeSchemaUsers } from '@weir/contracts';
import { type RecordingServer, until, useDatabase, useNats, within } from '@weir/testing';
import { firstBreak } from '../src/audit/audit.chain.js';
import { readTrail } from '../src/audit/audit.repository.js';
import { claimTasks, finishTasks, oldestTaskSeconds } from '../src/deletion/task-claim.repository.js';
import { SCHEMA } from '../src/schema.js';
import { useDeletions } from './deletions.harness.js';
import { holdingServer, removeDestination } from './eraser.fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const deletions = useDeletions(db, nats);
const { start, workspace, hook, requestDeletion, requestOne, deletionOf, ended } = deletions;
let server: RecordingServer;
beforeAll(() => {
  server = deletions.server();
});

/** Resolves once the first tasks of a deletion have these statuses at the same time. */
const untilStatuses = (own: ReturnType<typeof workspace>, id: string, ...statuses: string[]) =>
  until(`the statuses ${statuses}`, async () => {
    const { destinations = [] } = (await deletionOf(own, id)) ?? {};
    return statuses.every((status, at) => destinations[at]?.status === status);
  });

describe('a deletion', () => {
  it('reaches the webhook with all identifiers and what Weir keeps, and says so', async () => {
    const own = workspace();
    const users = [{ userId: 'ada', email: 'ada@example.com', 'crm id': '007' }];
    const destination = await hook(own, {
      deletionUrl: `${server.url}/forget?hard=1`,
      headers: [{ from: 'x-key', to: 'hush' }],
    });
    const id = await requestOne(own, [destination], users);
    await start();
    const done = { status: 'complete', attempts: 1 };
    expect(await ended(own, id)).toEqual({
      status: 'complete',
      destinations: [
        { destinationId: destination.id, ...done },
        { destinationId: 'internal:schema', name: 'Sampled events and frequent values that Weir keeps', ...done },
        { destinationId: 'internal:runner', name: 'Test runs and dead letters that Weir keeps', ...done },
      ],
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/forget?hard=1', headers: { 'x-key': 'hush' } });
    expect(server.requests[0]?.json).toEqual({ regulationId: id, destinationId: destination.id, users });
    expect(deletions.purges().usersOf(PurgeSchemaUsers, own.workspaceId)).toEqual(users);
    expect(deletions.purges().usersOf(PurgeRunnerUsers, own.workspaceId)).toEqual(users);
    expect(deletions.purges().usersOf(PurgeDeliveryUsers, own.workspaceId)).toEqual(users);
  });

  it('asks with one DELETE per user when the address has a place for the id', async () => {
    const own = workspace();
    const destination = await hook(own, { deletionUrl: `${server.url}/users/{userId}/data` });
    const [first = '', second = ''] = await requestDeletion(
      own,
      [destination],
      [{ userId: 'a b/ü' }, { userId: '../x' }],
    );
    await start();
    await Promise.all([ended(own, first), ended(own, second)]);
    const asked = server.requests.map(({ method, path }) => `${method} ${path}`).sort();
    expect(asked).toEqual(['DELETE /users/..%2Fx/data', 'DELETE /users/a%20b%2F%C3%BC/data']);
  });

  it('is overdue by its age before its barrier and at its destination, but not in the hands of a vendor', async () => {
    const TWO_DAYS = 172_800;
    const own = workspace();
    const id = await requestOne(own, [await hook(own)]);
    const change = (set: string) =>
      db.dataSource.query(`UPDATE deletion_tasks SET ${set} WHERE regulation_id = $1`, [id]);
    const age = () => oldestTaskSeconds(db.dataSource);
    await change(`created_at = now() - interval '2 days'`);
    expect(await age()).toBeGreaterThanOrEqual(TWO_DAYS);
    await change(`status = 'running', due_at = now() + interval '1 hour'`);
    expect(await age()).toBeGreaterThanOrEqual(TWO_DAYS);
    await change(`status = 'forwarded'`);
    expect(await age()).toBeLessThan(TWO_DAYS);
    await change(`status = 'complete', due_at = NULL`);
  });

  it('is complete when the destination does not know the user', async () => {
    const own = workspace();
    server.script({ status: 404 });
    const id = await requestOne(own, [await hook(own)]);
    await start();
    expect((await ended(own, id)).status).toBe('complete');
  });

  it('waits as long as the destination asks', async () => {
    const own = workspace();
    server.script({ status: 429, headers: { 'retry-after': '3600' } });
    const id = await requestOne(own, [await hook(own)]);
    await start();
    const failed = await until('a failed attempt', async () => {
      const deletion = await deletionOf(own, id);
      return deletion?.destinations[0]?.status === 'failed' && deletion;
    });
    expect(failed.destinations[0]?.reason).toBe('the deletion address answered 429');
    const failedTask = `FROM deletion_tasks WHERE regulation_id = $1 AND status = 'failed'`;
    const untilDue = `SELECT due_at > created_at + interval '1 hour' AS "isAsLong" ${failedTask}`;
    expect(await db.dataSource.query(untilDue, [id])).toEqual([{ isAsLong: true }]);
    const letTimePass = `UPDATE deletion_tasks SET due_at = now() WHERE id = (SELECT id ${failedTask})`;
    await db.dataSource.query(letTimePass, [id]);
    expect((await ended(own, id)).destinations[0]).toMatchObject({ status: 'complete', attempts: 2 });
  });

  it('is tried again after 5xx, a cut connection, and forgets the reason once it succeeds', async () => {
    const own = workspace();
    server.script({ status: 500 }, { reset: 'before' });
    const id = await requestOne(own, [await hook(own)]);
    await start();
    const [task] = (await ended(own, id)).destinations;
    expect(task).toEqual({ destinationId: expect.any(String), status: 'complete', attempts: 3 });
  });

  it.each([400, 401, 302])('is given up at once after %d; the rest goes on', async (status) => {
    const own = workspace();
    const [refusing, willing] = [await hook(own, { deletionUrl: `${server.url}/refusing` }), await hook(own)];
    server.answer(({ path }) => (path === '/refusing' ? { status, body: 'ada is not welcome' } : {}));
    const id = await requestOne(own, [refusing, willing]);
    await start();
    const deletion = await ended(own, id);
    expect(deletion.status).toBe('partial');
    expect(deletion.destinations.slice(0, 2)).toEqual([
      { destinationId: refusing.id, status: 'aborted', attempts: 1, reason: `the deletion address answered ${status}` },
      { destinationId: willing.id, status: 'complete', attempts: 1 },
    ]);
    expect(server.requests.filter(({ path }) => path === '/refusing')).toHaveLength(1);
  });

  it('is not supported where nothing can delete, and that never fails the rest', async () => {
    const own = workspace();
    const destinations = [await hook(own, { webhookUrl: server.url }), await hook(own, {}, 'SLACK'), await hook(own)];
    const id = await requestOne(own, destinations);
    await start();
    const deletion = await ended(own, id);
    expect(deletion.status).toBe('complete');
    expect(deletion.destinations.slice(0, 3).map(({ status }) => status)).toEqual([
      'not_supported',
      'not_supported',
      'complete',
    ]);
  });

  it('never leaves for an address that is not allowed', async () => {
    const own = workspace();
    const id = await requestOne(own, [await hook(own, { deletionUrl: 'http://10.0.0.1/forget' })]);
    await start();
    const refused = await until('the refusal', async () => {
      const task = (await deletionOf(own, id))?.destinations[0];
      return task?.attempts ? task.reason : undefined;
    });
    expect(refused).toBe('The address is not allowed');
  });

  it('waits for a service that is away, without holding the destinations up', async () => {
    deletions.answerPurges(PurgeRunnerUsers, PurgeDeliveryUsers);
    const own = workspace();
    const id = await requestOne(own, [await hook(own)]);
    await start();
    await untilStatuses(own, id, 'complete', 'failed', 'complete');
    deletions.answerPurges(PurgeSchemaUsers, PurgeRunnerUsers, PurgeDeliveryUsers);
    expect((await ended(own, id)).status).toBe('complete');
  });

  it('is written to the audit trail, without a name', async () => {
    const own = workspace();
    const id = await requestOne(own, [await hook(own)]);
    await start();
    await ended(own, id);
    const trail = await readTrail(db.dataSource, own.workspaceId);
    expect(firstBreak(trail)).toBeUndefined();
    expect(trail.filter(({ action }) => action === 'deletion.ended').map(({ details }) => details['status'])).toEqual([
      'complete',
      'complete',
      'complete',
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/\bada\b/);
  });
});

describe('what ends a deletion early', () => {
  it('a cancel before it began: nothing is asked', async () => {
    const own = workspace();
    const id = await requestOne(own, [await hook(own)]);
    await own.cancel(id);
    await start();
    await own.create({ regulationType: 'suppress_with_delete' }).then(([next = '']) => ended(own, next));
    expect((await deletionOf(own, id))?.status).toBe('canceled');
    expect(server.requests).toEqual([]);
  });

  it('no cancel while it runs: it finishes', async () => {
    const own = workspace();
    const holding = await holdingServer();
    const id = await requestOne(own, [await hook(own, { deletionUrl: holding.url })]);
    await start();
    await until('the request', () => holding.held() === 1);
    await own.cancel(id);
    expect(await own.get(id)).toMatchObject({
      canceled: true,
      deletion: { destinations: [{ status: 'running' }, {}, {}] },
    });
    await holding.release();
    expect((await ended(own, id)).destinations[0]?.status).toBe('complete');
  });

  it('the end of its destination: what has not ended is aborted, the rest is kept', async () => {
    const own = workspace();
    server.answer(({ path }) => ({ status: path === '/broken' ? 503 : 200 }));
    const [broken, fine] = [await hook(own, { deletionUrl: `${server.url}/broken` }), await hook(own)];
    const id = await requestOne(own, [broken, fine]);
    await start();
    await untilStatuses(own, id, 'failed', 'complete');
    await Promise.all([own.abortDestination(broken.id), own.abortDestination(fine.id)]);
    const expected = [
      {
        destinationId: broken.id,
        status: 'aborted',
        attempts: expect.any(Number),
        reason: 'the destination was deleted',
      },
      { destinationId: fine.id, status: 'complete', attempts: 1 },
    ];
    expect((await ended(own, id)).destinations.slice(0, 2)).toEqual(expected);
    await own.abortDestination(broken.id);
    expect((await deletionOf(own, id))?.destinations.slice(0, 2)).toEqual(expected);
  });

  it('a destination that is not in the inventory any more, or is another workspace’s', async () => {
    const [own, other] = [workspace(), workspace()];
    const [gone, foreign] = [await hook(own), await hook(other)];
    await removeDestination(nats.connection, gone.id);
    const id = await requestOne(own, [gone, foreign]);
    await start();
    expect((await ended(own, id)).destinations.slice(0, 2).map(({ status }) => status)).toEqual(['aborted', 'aborted']);
    expect(server.requests).toEqual([]);
  });

  it('not the workspace of somebody else', async () => {
    const [own, other] = [workspace(), workspace()];
    const destination = await hook(own);
    const id = await requestOne(own, [destination]);
    await other.abortDestination(destination.id);
    await start();
    expect((await ended(own, id)).destinations[0]?.status).toBe('complete');
  });
});

describe('a purge of what Weir keeps', () => {
  const schemaPurges = (own: { workspaceId: string }) => deletions.purges().of(PurgeSchemaUsers, own.workspaceId);

  it('is asked for until it is done, under one name and with all users of the deletion', async () => {
    const own = workspace();
    await db.dataSource.query(`INSERT INTO leases (role, slot, epoch) VALUES ('filter', 0, 3), ('filter', 1, 5)`);
    const users = Array.from({ length: 120 }, (_, n) => ({ userId: `user-${n}` }));
    deletions.answerPurgesUntil((asked) => asked > 3);
    const [first = ''] = await requestDeletion(own, [], users);
    await start();
    await ended(own, first);
    const asked = schemaPurges(own);
    expect(asked.length).toBeGreaterThan(3);
    expect(new Set(asked.map(({ purgeId }) => purgeId)).size).toBe(1);
    for (const { users: named, fence } of asked) {
      expect(named).toHaveLength(120);
      expect(fence).toEqual([3, 5]);
    }
    await db.dataSource.query(`DELETE FROM leases WHERE role = 'filter'`);
  });

  it('goes on under its name, and with its users only, when another eraser takes it up', async () => {
    const own = workspace();
    let isDone = false;
    deletions.answerPurgesUntil(() => isDone);
    const [first = ''] = await requestDeletion(own, [], [{ userId: 'ada' }, { userId: 'bob' }]);
    await start();
    const begun = await until('the purge to begin', () => schemaPurges(own).at(0));
    // Simulates that the eraser was killed, and that another user is to be deleted too.
    await db.dataSource.query(
      `UPDATE deletion_tasks SET lease_owner = $2, due_at = now() - interval '1 minute' WHERE regulation_id IN (
         SELECT id FROM regulations WHERE workspace_id = $1)`,
      [own.workspaceId, '00000000-0000-4000-8000-000000000000'],
    );
    const [other = ''] = await requestDeletion(own, [], [{ userId: 'eve' }]);
    await start();
    isDone = true;
    await Promise.all([ended(own, first), ended(own, other)]);
    // Both erasers may resume tasks, one user each. No other user may appear under the purge's name.
    const users = new Map<string | undefined, Set<unknown>>();
    for (const { purgeId, users: named } of schemaPurges(own)) {
      users.set(purgeId, new Set([...(users.get(purgeId) ?? []), ...named.map(({ userId }) => userId)]));
    }
    expect(users.get(begun.purgeId)).toEqual(new Set(['ada', 'bob']));
    expect([...users.values()].filter((named) => named.has('eve'))).toEqual([new Set(['eve'])]);
    expect(users.size).toBe(2);
  });
});

describe('several erasers', () => {
  it('ask for each user once', async () => {
    const own = workspace();
    server.answer({ delayMs: 20 });
    const users = Array.from({ length: 60 }, (_, n) => ({ userId: `user-${n}` }));
    const ids = await requestDeletion(own, [await hook(own)], users);
    await Promise.all([start(), start()]);
    await Promise.all(ids.map((id) => ended(own, id)));
    const asked = server.requests.map(({ json }) => (json as { users: { userId: string }[] }).users[0]?.userId);
    expect(asked.sort()).toEqual(users.map(({ userId }) => userId).sort());
    expect(deletions.purges().usersOf(PurgeSchemaUsers, own.workspaceId)).toHaveLength(60);
  });

  it('take up what a killed one had in hand, and its late answer changes nothing', async () => {
    const own = workspace();
    const destination = await hook(own);
    const id = await requestOne(own, [destination]);
    const dead = '00000000-0000-4000-8000-000000000000';
    await db.dataSource.query('UPDATE deletion_tasks SET due_at = now() WHERE regulation_id = $1', [id]);
    const [held] = await claimTasks(db.dataSource, {
      workspaceId: own.workspaceId,
      destinationId: destination.id,
      owner: dead,
      leaseMs: 3_600_000,
      limit: 9,
    });
    await start();
    const [next = ''] = await own.create({ regulationType: 'suppress_with_delete' });
    await ended(own, next); // a later deletion ended, and the eraser did not touch another's task
    expect(server.requests).toEqual([]);
    await db.dataSource.query('UPDATE deletion_tasks SET due_at = now() WHERE id = $1', [held?.id]); // the lease ends
    expect((await ended(own, id)).destinations[0]).toMatchObject({ status: 'complete', attempts: 2 });
    const state = { status: 'failed' as const, reason: 'late', dueInMs: 1, jobReference: null };
    const late = { id: held?.id ?? '', state, configMark: null };
    expect(await finishTasks(db.dataSource, dead, [late])).toEqual(new Set());
    expect((await deletionOf(own, id))?.status).toBe('complete');
  });

  it('keep a slow destination from holding up another', async () => {
    const own = workspace();
    const holding = await holdingServer();
    const slow = await hook(own, { deletionUrl: holding.url });
    const users = Array.from({ length: 20 }, (_, n) => ({ userId: `user-${n}` }));
    await requestDeletion(own, [slow], users);
    await start();
    await until('the slow one at work', () => holding.held() > 0);
    // An eraser that waited for the slow one would wait until its requests time out.
    await within(DELIVERY_TIMEOUT_MS, async () => {
      const id = await requestOne(own, [await hook(own)]);
      expect((await ended(own, id)).status).toBe('complete');
    });
    expect(holding.held()).toBeGreaterThan(0);
    await own.abortDestination(slow.id);
    await holding.release();
  });

  it('know a destination that was created a moment before', async () => {
    await start();
    const own = workspace();
    const id = await requestOne(own, [await hook(own)]);
    expect((await ended(own, id)).status).toBe('complete');
  });
});

describe('the check before a delivery', () => {
  it('knows who was deleted and until when, also after the regulation was cancelled', async () => {
    const own = workspace();
    const from = new Date().toISOString();
    const id = await requestOne(own, [await hook(own)]);
    expect(await own.checkDeleted('ada', 'bob')).toEqual([]);
    await start();
    await ended(own, id);
    await own.cancel(id);
    const [deleted, ...others] = await own.checkDeleted('bob', ' ada ');
    expect([deleted?.userId, others]).toEqual([' ada ', []]);
    expect((deleted?.until ?? '') > from).toBe(true);
    expect((deleted?.until ?? '') < new Date().toISOString()).toBe(true);
    expect(await workspace().checkDeleted('ada')).toEqual([]);
  });

  it('knows nobody whose deletion was cancelled before it began', async () => {
    const own = workspace();
    const id = await requestOne(own, [await hook(own)]);
    await own.cancel(id);
    await start();
    await ended(own, id);
    expect(await own.checkDeleted('ada')).toEqual([]);
  });
});
