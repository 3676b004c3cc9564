import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { holdLoop, useDatabase, useTcpProxy } from '@weir/testing';
import { type Database, dataSourceFor } from '../src/index.js';

const db = useDatabase('regulation', []);
const proxy = useTcpProxy(() => db.url);

/** Three times the longest silence of a query here that is well. */
const ANSWER_TIMEOUT_MS = 1_200;
const CONNECTIONS = 2;

describe('a database that falls silent without a word', () => {
  let source: Database;
  const opened = (url: string) => {
    const bounds = { poolMax: CONNECTIONS, answerTimeoutMs: ANSWER_TIMEOUT_MS };
    return dataSourceFor({ schema: 'regulation', url, migrations: [], ...bounds }).initialize();
  };
  beforeEach(async () => {
    source = await opened(proxy.url);
  });
  afterEach(async () => {
    proxy.release();
    await source.destroy();
  });

  it('ends what is asked of it, and the connection with it, and is asked anew once it is back', async () => {
    const begun = Promise.all(Array.from({ length: CONNECTIONS }, () => source.query('SELECT pg_sleep(0.05)')));
    await begun;
    proxy.hold();
    const lost = await Promise.allSettled(Array.from({ length: CONNECTIONS }, () => source.query('SELECT 1')));
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    proxy.release();
    expect(await source.query('SELECT 2 AS n')).toEqual([{ n: 2 }]);
  });

  it('ends a transaction that is under way, and its caller hears of it', async () => {
    const lost = source.transaction(async (sql) => {
      await sql.query('SELECT 1');
      proxy.hold();
      await sql.query('SELECT 2');
    });
    await expect(lost).rejects.toThrow(/Connection terminated/);
  });

  it('keeps a connection that nobody waits for, and one whose answers come', async () => {
    const pid = async () => (await source.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
    const before = await pid();
    await new Promise((done) => setTimeout(done, 2 * ANSWER_TIMEOUT_MS));
    expect(await pid()).toBe(before);
    const rows = await source.query<unknown[]>(
      'SELECT pg_sleep(0.2) FROM generate_series(1, 2) UNION ALL SELECT pg_sleep(0)',
    );
    expect(rows).toHaveLength(3);
    expect(await pid()).toBe(before);
  });

  it('does not count the time in which this process could not listen', async () => {
    const direct = await opened(db.url);
    const asked = direct.query<{ n: number }[]>('SELECT 1 AS n FROM pg_sleep(0.2)');
    await new Promise((done) => setTimeout(done, 50));
    await new Promise((done) => setImmediate(done)); // the next turn begins with timers
    holdLoop(2 * ANSWER_TIMEOUT_MS);
    expect(await asked).toEqual([{ n: 1 }]);
    await direct.destroy();
  });
});
