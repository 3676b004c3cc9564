import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provision, roleOf } from '@weir/local-servers';
import { type Database, dataSourceFor } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import pg from 'pg';
import { CreateDeliveryShares1764000000010 } from '../src/migrations/0010-create-delivery-shares.js';
import { migrations } from '../src/migrations/index.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const PASSWORDS = { runner: 'test-role-password', delivery: 'test-role-password' };
/** The migrations that were moved. Later ones follow as in any upgrade. */
const OF_DELIVERY = migrations
  .slice(0, migrations.indexOf(CreateDeliveryShares1764000000010) + 1)
  .map(({ name }) => name);
/** The migrations that the test runner still has. */
const OF_TEST_RUNNER = ['CreateTestRuns1764000000003', 'ClearVendorTexts1764000000009'];
/** The tables of live delivery. */
const MOVED = [
  'dead_letters',
  'delivery_counts',
  'delivery_progress',
  'delivery_shares',
  'lease_members',
  'leases',
  'retrying_deliveries',
  'used_versions',
];

// hooks run in order of definition, so the connections are closed before their database is dropped, and its role after it
afterAll(() => Promise.all(opened.map((source) => source.destroy())));
const database = useDatabase('runner', []);
afterAll(() => atServer((client) => client.query(`DROP ROLE ${deliveryRole}`)));
let deliveryRole: string;
let before: Record<string, unknown[]>;
const opened: Database[] = [];

beforeAll(async () => {
  await asAdmin(async (client, name) => {
    const role = roleOf(name, 'runner');
    deliveryRole = roleOf(name, 'delivery');
    await client.query(`DROP SCHEMA runner CASCADE; CREATE SCHEMA runner AUTHORIZATION ${role}; SET ROLE ${role}`);
    await client.query(read('./release-before.sql'));
    before = await rowsOf(client, 'runner', [...MOVED, 'test_runs']);
  });
});

/** Runs statements with the superuser, as an operator does. */
const asAdmin = <T>(work: (client: pg.Client, name: string) => Promise<T>): Promise<T> =>
  atServer((client) => work(client, new URL(database.adminUrl).pathname.slice(1)), database.adminUrl);

async function atServer<T>(
  work: (client: pg.Client) => Promise<T>,
  connectionString = process.env['DATABASE_URL_TEST'],
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function rowsOf(client: pg.Client, schema: string, tables: string[]): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of tables) found[table] = (await client.query(`SELECT * FROM ${schema}.${table}`)).rows;
  return found;
}

async function open(schema: 'runner' | 'delivery', url = ''): Promise<Database> {
  const source = dataSourceFor({ schema, url, migrations: schema === 'runner' ? [] : migrations });
  opened.push(source);
  return source.initialize() as Promise<Database>;
}

const executed = async (source: Database) =>
  (await source.run<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp')).rows.map(({ name }) => name);

describe('a database of the release before the delivery service', () => {
  it('has a row in every table', () => {
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  });

  it('is refused by the delivery service until its tables are moved', async () => {
    const { delivery } = await provision({ adminUrl: database.adminUrl, passwords: { delivery: PASSWORDS.delivery } });
    const source = await open('delivery', delivery);
    await expect(source.runMigrations()).rejects.toThrow('run deploy/postgres/provision.sql first');
  });

  it.each(['at first', 'when it is repeated'])('keeps every row when it is provisioned, %s', async () => {
    await provision({ adminUrl: database.adminUrl, passwords: PASSWORDS });
    const after = await asAdmin(async (client) => ({
      ...(await rowsOf(client, 'delivery', MOVED)),
      ...(await rowsOf(client, 'runner', ['test_runs'])),
    }));
    expect(after).toEqual(before);
  });

  it('has executed the migrations that the release before had of both services', async () => {
    const urls = await provision({ adminUrl: database.adminUrl, passwords: PASSWORDS });
    const [runner, delivery] = [await open('runner', urls.runner), await open('delivery', urls.delivery)];
    expect(await executed(runner)).toEqual(OF_TEST_RUNNER);
    expect(await executed(delivery)).toEqual(OF_DELIVERY);
  });

  it('gives the tables to the delivery service, which can write, add partitions and drop them', async () => {
    const delivery = opened.at(-1) as Database;
    await delivery.run(
      `INSERT INTO dead_letters (day, workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
                                 received_at) VALUES ('2026-11-23', 'w', 'd', 's', 'k', 'queue', 'full', 1, '{}', '{}', now())`,
    );
    const { rows } = await delivery.run<{ id: string }>(`SELECT id FROM dead_letters WHERE event_key = 'k'`);
    expect(rows).toEqual([{ id: '3' }]);
    await delivery.run('DROP TABLE dead_letters_20261122');
    await asAdmin(async (client, name) => {
      const sql = `SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class
                   JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'delivery'`;
      expect((await client.query(sql)).rows).toEqual([{ owner: roleOf(name, 'delivery') }]);
    });
  });

  it('can go back', async () => {
    await asAdmin(async (client) => {
      const moved = await rowsOf(client, 'delivery', MOVED);
      await client.query(read('../../../deploy/postgres/move-delivery-back.sql'));
      expect(await rowsOf(client, 'runner', MOVED)).toEqual(moved);
      const { rows } = await client.query('SELECT name FROM runner.migrations ORDER BY timestamp');
      expect(rows).toHaveLength(10);
    });
    await provision({ adminUrl: database.adminUrl, passwords: PASSWORDS });
    expect(await asAdmin((client) => rowsOf(client, 'delivery', ['used_versions']))).toEqual({
      used_versions: before['used_versions'],
    });
  });
});
