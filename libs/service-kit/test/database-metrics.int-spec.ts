import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until, useDatabase } from '@weir/testing';
import { DatabaseMetrics } from '../src/database-metrics.js';
import { type Database, dataSourceFor, Metrics } from '../src/index.js';

const db = useDatabase('regulation', []);
const CONNECTIONS = 2;

describe('metrics of a database', () => {
  let metrics: Metrics;
  let database: Database;

  const read = async (series: string) =>
    Number(
      (await metrics.text())
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.match(/\S+$/)?.[0],
    );
  const connections = async () => ({
    busy: await read('weir_database_connections{state="busy"'),
    idle: await read('weir_database_connections{state="idle"'),
    waiting: await read('weir_database_connections{state="waiting"'),
  });

  beforeEach(async () => {
    metrics = new Metrics('regulation-service.main');
    const measured = new DatabaseMetrics(metrics);
    const options = { url: db.url, migrations: [], poolMax: CONNECTIONS, onAnswer: measured.answered };
    database = measured.watch(await dataSourceFor({ schema: 'regulation', ...options }).initialize());
    await database.run(`CREATE TABLE IF NOT EXISTS filled AS SELECT repeat('x', 100) FROM generate_series(1, 10000)`);
    // measuring takes a connection and a statement of its own
    await until('the size to be measured', async () => (await read('weir_database_bytes')) > 0);
  });
  afterEach(() => database.destroy());

  it('count connections that work and idle, and calls that wait for one', async () => {
    const holders = [database.createQueryRunner(), database.createQueryRunner()];
    for (const holder of holders) await holder.connect();
    const waiting = database.run('SELECT 1');
    await until('the call to wait', async () => (await connections()).waiting === 1);
    expect(await connections()).toEqual({ busy: CONNECTIONS, idle: 0, waiting: 1 });
    for (const holder of holders) await holder.release();
    await waiting;
    expect(await connections()).toEqual({ busy: 0, idle: CONNECTIONS, waiting: 0 });
  });

  it('time every statement, those that fail too', async () => {
    const before = await read('weir_database_query_seconds_count');
    await database.run('SELECT pg_sleep(0.05)');
    await expect(database.run('SELECT * FROM nowhere')).rejects.toThrow('nowhere');
    expect((await read('weir_database_query_seconds_count')) - before).toBe(2);
    expect(await read('weir_database_query_seconds_sum')).toBeGreaterThan(0.05);
  });

  it('tell the size of the own schema', async () => {
    expect(await read('weir_database_bytes{schema="regulation"')).toBeGreaterThan(1_000_000);
  });
});
