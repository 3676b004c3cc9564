import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalStack, launchStack, removeStack, sharedStack } from '@weir/local';
import { ensureDatabase, SCHEMAS } from '@weir/local-servers';
import { api, type RecordingServer, recordingServer, until } from '@weir/testing';
import pg from 'pg';
import { findPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { restart } from '../support/restart.js';
import { collected, countsOf, delivered, pipeline, Sender } from '../support/traffic.js';

const DATABASE = 'pooled';
const EVENT = 'Through a pooler';
/** Far fewer than the pools of the processes, so that a transaction seldom gets the connection of the one before. */
const POOL_SIZE = 3;
const START_MS = 180_000;

const binary = findPgBouncer();
const described = binary ? describe : describe.skip;

described('behind PgBouncer, which shares connections by transaction (skipped if it is not installed)', () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let hook: RecordingServer;
  let stack: LocalStack;
  let admin: pg.Client;

  beforeAll(async () => {
    hook = await recordingServer();
    const adminUrl = await ensureDatabase(sharedStack().databaseUrl, DATABASE);
    admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    pooler = await startPgBouncer(binary ?? '', adminUrl, POOL_SIZE);
    stack = await launchStack({ env: { DATABASE_URL: pooler.url } });
  }, START_MS);

  afterAll(async () => {
    await removeStack(stack);
    await pooler.stop();
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE '${DATABASE}_%'`);
    await admin.end();
    await hook.close();
  });

  /** Connections of each role to the server. */
  const connections = async () => {
    const { rows } = await admin.query<{ role: string; count: number }>(
      `SELECT usename AS role, count(*)::int FROM pg_stat_activity WHERE usename LIKE '${DATABASE}_%' GROUP BY 1 ORDER BY 1`,
    );
    return rows;
  };

  it('everything works, with few connections to the server', async () => {
    const { writeKey } = await pipeline(stack.address, hook, 'pooled');
    const regulation = { regulationType: 'suppress', users: [{ userId: 'gone' }] };
    expect((await api(stack.address).post('/v2/regulations', regulation)).status).toBeLessThan(300);
    const sender = new Sender(stack.address, writeKey);
    await sender.sendFor(EVENT, 1);
    await api(stack.address, { writeKey }).post('/v1/track', { userId: 'gone', event: EVENT });
    await Promise.all([sender.sendFor(EVENT, 2), restart(stack, 'delivery-service.deliverer', 0), stack.migrate()]);
    await sender.settled();

    const wanted = countsOf(sender.acknowledged);
    await until('every event to arrive', () => delivered(hook).get(EVENT)?.size === wanted[EVENT]);
    await until(
      'every event to be counted',
      async () => (await collected(stack.address, writeKey))[EVENT] === wanted[EVENT],
    );
    expect(hook.requests.map(({ json }) => (json as { userId: string }).userId)).not.toContain('gone');
    const found = await connections();
    expect(found.map(({ role }) => role)).toEqual(SCHEMAS.map((schema) => `${DATABASE}_${schema}`).sort());
    expect(found.filter(({ count }) => count > POOL_SIZE)).toEqual([]);
  });
});
