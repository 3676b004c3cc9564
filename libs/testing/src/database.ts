import { randomBytes } from 'node:crypto';
import { provision, roleOf, type SchemaName } from '@weir/local-servers';
import type { Database } from '@weir/service-kit';
import { dataSourceFor } from '@weir/service-kit';
import pg from 'pg';
import { hooks } from './hooks.js';
import { until } from './until.js';

export interface TestDatabase {
  /** URL with the service's own role, as the service gets it. */
  readonly url: string;
  /** URL with the superuser, for checks from outside. */
  readonly adminUrl: string;
  /** Connected as the service's role, migrated, with `search_path` set to the schema. */
  readonly dataSource: Database;
}

type Options = Parameters<typeof dataSourceFor>[0];
type Migrations = Options['migrations'];
type Entities = NonNullable<Options['entities']>;

const PASSWORD = 'test-role-password';

/**
 * Creates a database with one schema for this test file, migrated before the first test and dropped after the last. Call it at
 * the top of the file or of a `describe`. Fails the file if it leaves a connection open.
 */
export function useDatabase(schema: SchemaName, migrations: Migrations, entities: Entities = []): TestDatabase {
  let open: OpenDatabase | undefined;
  hooks().beforeAll(async () => {
    open = await createDatabase(schema, migrations, entities);
  });
  hooks().afterAll(async () => {
    if (open) await dropDatabase(open);
  });
  const ready = () => {
    if (!open) throw new Error('the database is there once beforeAll has run: use it inside of tests and hooks');
    return open;
  };
  return {
    get url() {
      return ready().url;
    },
    get adminUrl() {
      return ready().adminUrl;
    },
    get dataSource() {
      return ready().dataSource;
    },
  };
}

interface OpenDatabase extends TestDatabase {
  serverUrl: string;
  name: string;
  schema: SchemaName;
}

async function createDatabase(schema: SchemaName, migrations: Migrations, entities: Entities): Promise<OpenDatabase> {
  const serverUrl = process.env['DATABASE_URL_TEST'];
  if (!serverUrl) throw new Error('DATABASE_URL_TEST is not set: useDatabase works in *.int-spec.ts files');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await atServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const adminUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const { [schema]: url = '' } = await provision({ adminUrl, passwords: { [schema]: PASSWORD } });
  const dataSource = dataSourceFor({ schema, url, migrations, entities });
  await dataSource.initialize();
  await dataSource.runMigrations();
  return { url, adminUrl, dataSource, serverUrl, name, schema };
}

async function dropDatabase({ dataSource, serverUrl, name, schema }: OpenDatabase): Promise<void> {
  if (dataSource.isInitialized) await dataSource.destroy();
  await atServer(serverUrl, async (client) => {
    try {
      await assertNoSessions(client, name);
    } finally {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.query(`DROP ROLE ${roleOf(name, schema)}`);
    }
  });
}

async function assertNoSessions(client: pg.Client, name: string): Promise<void> {
  const sql = `SELECT query FROM pg_stat_activity WHERE datname = $1`;
  let last: string[] = [];
  const closed = async () => {
    last = (await client.query<{ query: string }>(sql, [name])).rows.map((row) => row.query);
    return last.length === 0;
  };
  await until('sessions to end', closed).catch((cause) => {
    throw new Error(`this file left ${last.length} database connections open, last used for: ${last.join(' | ')}`, {
      cause,
    });
  });
}

async function atServer(serverUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
