import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCHEMAS, startPostgres } from '@weir/local-servers';
import pg from 'pg';

const [FIRST, SECOND, THIRD] = ['the-first-password', 'the-second-password', 'the-third-password'];
const hasPsql = spawnSync('psql', ['--version']).status === 0;

/** Replaces the passwords of PostgreSQL as docs/recovery.md says, with the files that it names. */
(hasPsql ? describe : describe.skip)('a second login of each role', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-logins-'));
  let server: Awaited<ReturnType<typeof startPostgres>>;

  /** Runs a file of deploy/postgres as the administrator, with one password for every service. */
  const run = (file: string, password: string) => {
    const path = fileURLToPath(new URL(`../../../deploy/postgres/${file}`, import.meta.url));
    const passwords = SCHEMAS.flatMap((service) => ['-v', `${service}=${password}`]);
    const { status, stderr } = spawnSync('psql', ['-q', '-d', server.url, ...passwords, '-f', path]);
    if (status !== 0) throw new Error(`psql: ${stderr}`);
  };
  /** Answers a statement in a session of its own. */
  const as = async (username: string, password: string, statement: string) => {
    const client = new pg.Client(Object.assign(new URL(server.url), { username, password }).href);
    await client.connect();
    return client.query(statement).finally(() => client.end());
  };

  beforeAll(async () => {
    server = await startPostgres(folder);
    run('provision.sql', FIRST);
    run('second-logins.sql', SECOND);
    run('second-logins.sql', SECOND);
  });
  afterAll(async () => {
    await server.server.stop(2_000);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is accepted beside the first one, and leaves everything to the first role', async () => {
    await as('weir_gateway', FIRST, 'CREATE TABLE early (id int)');
    await as('weir_gateway_b', SECOND, 'CREATE TABLE late (id int)');
    const { rows } = await as(
      'weir_gateway_b',
      SECOND,
      'SELECT tablename, tableowner FROM pg_tables ORDER BY 1 LIMIT 2',
    );
    expect(rows).toEqual(['early', 'late'].map((tablename) => ({ tablename, tableowner: 'weir_gateway' })));
  });

  it('has the limits of its role and no part in another schema', async () => {
    const { rows } = await as('weir_gateway_b', SECOND, 'SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '15s' }]);
    await expect(as('weir_gateway_b', SECOND, 'CREATE TABLE registry.mine (id int)')).rejects.toThrow(
      /permission denied/,
    );
  });

  it('goes on when the first one ends, and a new first one comes beside it', async () => {
    const admin = new URL(server.url);
    await as(admin.username, admin.password, 'ALTER ROLE weir_gateway PASSWORD NULL');
    await expect(as('weir_gateway', FIRST, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    await as('weir_gateway_b', SECOND, 'INSERT INTO late VALUES (1)');
    run('provision.sql', THIRD);
    await as('weir_gateway', THIRD, 'SELECT id FROM late');
    await as('weir_gateway_b', SECOND, 'SELECT id FROM late');
  });
});
