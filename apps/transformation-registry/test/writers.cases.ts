import { describe, expect, it } from '@jest/globals';
import { CreateTransformation, ListTransformations } from '@weir/contracts';
import { until } from '@weir/testing';
import { KEEP, newWorkspace, useRegistry } from './registry.js';

const { send, database } = useRegistry();

/** Three times as many as the service has connections. */
const WRITERS = 30;
const HOLD_SQL = `SELECT pg_advisory_lock(hashtext('registry.workspace'), hashtext($1))`;
const WAITING_SQL = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('writers of one workspace that have to wait', () => {
  it('leave connections for the others, and are served in their order', async () => {
    const [busy, other] = [newWorkspace(), newWorkspace()];
    const holder = database.dataSource.createQueryRunner();
    const waiting = async () => (await database.dataSource.query<[{ count: number }]>(WAITING_SQL))[0].count;
    await holder.query(HOLD_SQL, [busy.workspaceId]);
    const create = { ...busy, code: KEEP, publish: false };
    const writes = Array.from({ length: WRITERS }, (_, n) => send(CreateTransformation, { ...create, name: `${n}` }));
    await until('a writer waits for the lock', async () => (await waiting()) > 0);

    expect(await send(ListTransformations, other)).toEqual({ transformations: [] });
    await send(CreateTransformation, { ...other, name: 'T', code: KEEP, publish: true });
    expect(await waiting()).toBe(1);

    await holder.query('SELECT pg_advisory_unlock_all()');
    await holder.release();
    const made = await Promise.all(writes);
    const times = made.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
  });
});
