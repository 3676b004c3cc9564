import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCHEMAS, startPostgres } from '@weir/local-servers';
import pg from 'pg';

const PASSWORD = 'the-password-of-every-role';
const PROVISION = fileURLToPath(new URL('../../../deploy/postgres/provision.sql', import.meta.url));
/** The version of the tests' servers. `pg_dump` refuses a server that is newer than itself. */
const VERSION_MIN = 18;
const versionOf = (tool: string) =>
  Number(/ (\d+)\./.exec(spawnSync(tool, ['--version']).stdout?.toString() ?? '')?.[1] ?? 0);
const hasTools = ['psql', 'pg_dump', 'pg_restore'].every((tool) => versionOf(tool) >= VERSION_MIN);

/** Restores a dump on a server that never had Weir, as docs/recovery.md says. */
(hasTools ? describe : describe.skip)('a dump', () => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'weir-dump-')));
  let servers: Awaited<ReturnType<typeof startPostgres>>[] = [];

  const run = (tool: string, ...parameters: string[]) => {
    const { status, stderr } = spawnSync(tool, parameters);
    if (status !== 0) throw new Error(`${tool}: ${stderr}`);
  };
  const provision = (url: string) => {
    const passwords = SCHEMAS.flatMap((service) => ['-v', `${service}=${PASSWORD}`]);
    run('psql', '-q', '-d', url, ...passwords, '-f', PROVISION);
  };
  /** Answers a statement in a session of its own. */
  const as = async (url: string, username: string, statement: string) => {
    const client = new pg.Client(Object.assign(new URL(url), { username, password: PASSWORD }).href);
    await client.connect();
    return (await client.query(statement).finally(() => client.end())).rows;
  };

  beforeAll(async () => {
    servers = await Promise.all(folders.map((folder) => startPostgres(folder)));
  });
  afterAll(async () => {
    await Promise.all(servers.map(({ server }) => server.stop(2_000)));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('brings back what each service had, for this service alone', async () => {
    const [before, after] = servers.map(({ url }) => url) as [string, string];
    const dump = join(folders[0] as string, 'weir.dump');
    provision(before);
    await as(before, 'weir_gateway', `CREATE TABLE kept AS SELECT 'a source' AS name`);
    run('pg_dump', '--format=custom', `--file=${dump}`, before);

    provision(after);
    run('pg_restore', '-d', after, '--clean', '--if-exists', '--exit-on-error', dump);
    expect(await as(after, 'weir_gateway', 'SELECT name FROM kept')).toEqual([{ name: 'a source' }]);
    await as(after, 'weir_gateway', 'ALTER TABLE kept ADD COLUMN added int');
    await expect(as(after, 'weir_registry', 'SELECT name FROM gateway.kept')).rejects.toThrow(/permission denied/);
  });
});
