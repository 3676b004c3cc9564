import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provision, roleOf, SCHEMAS, type SchemaName, startPostgres } from '@weir/local-servers';
import pg from 'pg';

const PASSWORD = 'a-password-of-its-own';
const PROVISION_SQL = fileURLToPath(new URL('../../../deploy/postgres/provision.sql', import.meta.url));
const CHART = new URL('../../../deploy/helm/weir/templates/_cnpg.tpl', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'weir-roles-'));
let server: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  server = await startPostgres(folder);
});
afterAll(async () => {
  await endSessions();
  await server.server.stop(2_000);
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (database: string, user?: string) => {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  if (user) Object.assign(url, { username: user, password: PASSWORD });
  return url.href;
};
/** Open sessions by URL. Hundreds of statements would otherwise wait for a session each. */
const sessions = new Map<string, Promise<pg.Client>>();
async function sessionOf(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => sessions.delete(url)); // a database that is dropped ends its sessions
  return client.connect();
}

/** Runs statements one by one as one user. `undefined` is the server's superuser. */
async function query(database: string, user: string | undefined, ...statements: string[]): Promise<void> {
  const url = urlOf(database, user);
  const opened = sessions.get(url) ?? sessionOf(url);
  sessions.set(url, opened);
  const client = await opened.catch((error) => {
    sessions.delete(url);
    throw error;
  });
  for (const statement of statements) await client.query(statement);
}

/** Ends the sessions, so that their databases and roles can be dropped. */
async function endSessions(): Promise<void> {
  const open = await Promise.allSettled(sessions.values());
  sessions.clear();
  await Promise.all(open.map((session) => session.status === 'fulfilled' && session.value.end()));
}

/** All ways to create the roles. Their results must be equal. */
const WAYS: Record<string, (database: string) => Promise<unknown>> = {
  'the local launcher': (database) => provision({ adminUrl: urlOf(database), passwords: eachService(() => PASSWORD) }),
  'deploy/postgres/provision.sql': async (database) => {
    const passwords = SCHEMAS.flatMap((service) => ['-v', `${service}=${PASSWORD}`]);
    const { status, stderr } = spawnSync('psql', ['-q', '-d', urlOf(database), ...passwords, '-f', PROVISION_SQL]);
    if (status !== 0) throw new Error(`psql: ${stderr}`);
  },
  'the chart with CloudNativePG': (database) => query(database, undefined, ...statementsOfChart()),
};

const eachService = <T>(value: (service: SchemaName) => T) =>
  Object.fromEntries(SCHEMAS.map((service) => [service, value(service)])) as Record<SchemaName, T>;

/** The statements that the cluster's operator runs, with the passwords that it sets from Secrets. */
function statementsOfChart(): string[] {
  const lines = [...readFileSync(CHART, 'utf8').matchAll(/^ +- ((?:REVOKE|CREATE|GRANT) .+)$/gm)];
  const statements = lines.flatMap(([, line = '']) =>
    line.includes('{{ . }}') ? SCHEMAS.map((service) => line.replaceAll('{{ . }}', service)) : line,
  );
  return [...statements, ...SCHEMAS.map((service) => `ALTER ROLE weir_${service} PASSWORD '${PASSWORD}'`)];
}

const hasPsql = spawnSync('psql', ['--version']).status === 0;
const ways = Object.keys(WAYS).filter((way) => hasPsql || !way.includes('sql'));
if (!hasPsql) it.skip('roles made by deploy/postgres/provision.sql: psql is missing', () => undefined);

/** Roles belong to the server, so each way cleans up before the next. */
describe.each(ways)('roles made by %s', (way) => {
  const database = 'weir';
  const neighbour = 'elsewhere';

  beforeAll(async () => {
    await query('postgres', undefined, `CREATE DATABASE ${database}`, `CREATE DATABASE ${neighbour}`);
    await query(neighbour, undefined, `REVOKE ALL ON DATABASE ${neighbour} FROM PUBLIC`);
    await WAYS[way]?.(database);
    for (const service of SCHEMAS) await query(database, roleOf(database, service), ...work(service));
  });
  afterAll(async () => {
    await endSessions();
    await query('postgres', undefined, `DROP DATABASE ${database} WITH (FORCE)`, `DROP DATABASE ${neighbour}`);
    await query('postgres', undefined, ...SCHEMAS.map((service) => `DROP ROLE ${roleOf(database, service)}`));
  });

  /** Statements that migrations and repositories run. */
  const work = (service: SchemaName) => [
    `SET search_path TO ${service}`,
    'CREATE TABLE things (id int PRIMARY KEY)',
    'CREATE INDEX things_by_id ON things (id)',
    'INSERT INTO things VALUES (1)',
    'SELECT id FROM things FOR UPDATE SKIP LOCKED',
    'CREATE TEMP TABLE some_things AS SELECT * FROM things',
    'SELECT pg_advisory_lock(1)',
    'SELECT pg_advisory_unlock(1)',
  ];

  describe.each([...SCHEMAS])('%s', (service) => {
    const role = roleOf(database, service);
    const others = SCHEMAS.filter((other) => other !== service);

    it.each(others)('has no part in the schema of %s', async (other) => {
      for (const statement of [
        `SELECT * FROM ${other}.things`,
        `INSERT INTO ${other}.things VALUES (2)`,
        `DELETE FROM ${other}.things`,
        `DROP TABLE ${other}.things`,
        `CREATE TABLE ${other}.mine (id int)`,
      ]) {
        await expect(query(database, role, statement)).rejects.toThrow(/permission denied for schema/);
      }
      await expect(query(database, role, `SET ROLE ${roleOf(database, other)}`)).rejects.toThrow(/permission denied/);
    });

    it.each([
      ['a table that everybody sees', 'CREATE TABLE public.mine (id int)'],
      ['another schema', 'CREATE SCHEMA mine'],
      ['another role', 'CREATE ROLE mine'],
      ['another database', 'CREATE DATABASE mine'],
      ['an extension', `CREATE EXTENSION pgcrypto SCHEMA ${service}`],
      ['the passwords of others', 'SELECT rolpassword FROM pg_authid'],
      ['files of the server', "SELECT pg_read_file('/etc/hostname')"],
      ['programs of the server', "COPY (SELECT 1) TO PROGRAM 'true'"],
      ['more rights', `ALTER ROLE ${role} SUPERUSER`],
      ['a role to create others', `ALTER ROLE ${role} CREATEROLE`],
    ])('gets no %s', async (_what, statement) => {
      await expect(query(database, role, statement)).rejects.toThrow(/permission denied|must be|not available/);
    });

    it('does not get into another database of the server', async () => {
      await expect(query(neighbour, role, 'SELECT 1')).rejects.toThrow(/permission denied for database/);
    });
  });
});
