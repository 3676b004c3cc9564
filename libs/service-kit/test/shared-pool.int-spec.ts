import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workOwner } from '@weir/messaging';
import { until, useDatabase } from '@weir/testing';
import { type Database, dataSourceFor } from '../src/index.js';

const db = useDatabase('regulation', []);
const CONNECTIONS = 10;
const LOCK = 7;

describe('the connections of a process', () => {
  let database: Database;
  /** Holds the lock that slow queries wait for. */
  let end: () => Promise<unknown>;

  beforeEach(async () => {
    const options = { url: db.url, migrations: [], poolMax: CONNECTIONS };
    database = await dataSourceFor({ schema: 'regulation', ...options }).initialize();
    const holder = db.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    let ended: Promise<void> | undefined;
    end = () => {
      ended ??= holder.commitTransaction().then(() => holder.release());
      return ended;
    };
  });
  afterEach(async () => {
    await end();
    await database.destroy();
  });

  const by = <T>(workspaceId: string, work: () => Promise<T>, isUrgent = false) =>
    workOwner.run({ workspaceId, isUrgent }, work);
  const slow = (workspaceId: string, isUrgent = false) =>
    by(workspaceId, () => database.run('SELECT pg_advisory_xact_lock_shared($1)', [LOCK]), isUrgent);
  const many = (count: number, work: () => Promise<unknown>) => Array.from({ length: count }, work);
  const held = async () => {
    const { rows } = await db.dataSource.run<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event = 'advisory'`,
    );
    return rows[0]?.n;
  };
  const untilHeld = (count: number) => until('slow queries to hold connections', async () => (await held()) === count);
  const two = { rows: [{ n: 2 }], count: 1 };
  const quick = () => database.run('SELECT 2 AS n');

  it('go to one workspace up to its share, and never run out for others', async () => {
    const asked = many(50, () => slow('loud'));
    await untilHeld(4);
    expect(await by('quiet', quick)).toEqual(two);
    expect(await quick()).toEqual(two);
    expect(await held()).toBe(4);
    await end();
    await Promise.all(asked);
  });

  it('stay free for what guards sending and for the process, however many workspaces ask', async () => {
    const asked = ['a', 'b', 'c', 'd'].flatMap((workspace) => many(10, () => slow(workspace)));
    await untilHeld(7);
    expect(await by('loud', quick, true)).toEqual(two);
    expect(await quick()).toEqual(two);
    const urgent = many(20, () => slow('loud', true));
    await untilHeld(10);
    await end();
    await Promise.all([...asked, ...urgent]);
  });

  it('serve a query beside a transaction of the same workspace at once', async () => {
    const transactions = many(4, () =>
      by('own', () => database.transaction(async (sql) => [await sql.run('SELECT 1'), await quick()])),
    );
    await Promise.all(transactions);
  });

  it('come back from queries and transactions that fail', async () => {
    const failing = many(20, () => by('own', () => database.run('SELECT * FROM nowhere')));
    const rolledBack = many(20, () =>
      by('own', () =>
        database.transaction(async () => {
          throw new Error('rolled back');
        }),
      ),
    );
    await Promise.allSettled([...failing, ...rolledBack]);
    expect(await by('own', quick)).toEqual(two);
  });
});
