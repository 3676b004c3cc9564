import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startPostgres } from '@weir/local-servers';
import { until } from '@weir/testing';
import { checkDurability } from '../src/durability.js';
import { type Database, dataSourceFor } from '../src/index.js';
import { followAs } from './follower.js';

const STOP_GRACE_MS = 10_000;
/** A role without rights beyond its own tables, like that of each service. */
const ROLE = 'weir_reader';

/** A separate server for this file, because its commit settings apply to every database in it. */
let folder: string;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let admin: Database;
let service: Database;
const followers: (() => void)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-durability-'));
  postgres = await startPostgres(folder);
  admin = await opened(postgres.url);
  await admin.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'reader'`);
  service = await opened(Object.assign(new URL(postgres.url), { username: ROLE, password: 'reader' }).href);
});

afterEach(async () => {
  await setting('synchronous_standby_names', ''); // first, so that the following writes do not wait for a standby
  await admin.query(`ALTER ROLE ${ROLE} RESET synchronous_commit`);
  for (const end of followers.splice(0)) end();
  await until('nobody to follow', async () => (await follows()).length === 0);
});

afterAll(async () => {
  await service?.destroy();
  await admin?.destroy();
  await postgres?.server.stop(STOP_GRACE_MS);
  rmSync(folder, { recursive: true, force: true });
});

const opened = (url: string) => dataSourceFor({ schema: 'runner', url, migrations: [], poolMax: 1 }).initialize();
const follows = () => admin.query<{ state: string }[]>('SELECT sync_state AS state FROM pg_stat_replication');

async function setting(name: string, value: string): Promise<void> {
  await admin.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await admin.query('SELECT pg_reload_conf()');
  await until(`the setting ${name}`, async () => (await shown(service, name)) === value);
}

const shown = async (source: Database, name: string) =>
  (await source.query<{ value: string }[]>('SELECT current_setting($1) AS value', [name]))[0]?.value;

async function follow(name: string): Promise<void> {
  followers.push(await followAs(name, postgres.url));
  await until('a follower', async () => (await follows()).length === 1);
}

/** Checks over a new connection of the service's role, because settings of a role apply to new sessions only. */
async function check(promised: 'single' | 'standby'): Promise<void> {
  const source = await opened(Object.assign(new URL(postgres.url), { username: ROLE, password: 'reader' }).href);
  try {
    await checkDurability(source, promised);
  } finally {
    await source.destroy();
  }
}

function warnings(): string[] {
  const told: string[] = [];
  const logger = { log: () => undefined, error: () => undefined, warn: (text: string) => void told.push(text) };
  Logger.overrideLogger(logger);
  return told;
}

describe('a process that is promised a standby', () => {
  it('does not start where no standby is named', async () => {
    await expect(check('standby')).rejects.toThrow(/DATABASE_DURABILITY.*synchronous_standby_names is empty/);
    await follow('east');
    await expect(check('standby')).rejects.toThrow(/synchronous_standby_names is empty/);
  });

  it('does not start where none of those that are named is connected', async () => {
    await setting('synchronous_standby_names', 'east');
    await expect(check('standby')).rejects.toThrow(
      /no standby that synchronous_standby_names \(east\) names is connected/,
    );
  });

  it('starts where commits wait for one, and not where those of its own role do not', async () => {
    await follow('east');
    await setting('synchronous_standby_names', 'east');
    await until('a synchronous follower', async () => (await follows())[0]?.state === 'sync');
    await check('standby');
    await admin.query('GRANT pg_monitor TO weir_reader');
    await check('standby');
    await admin.query('REVOKE pg_monitor FROM weir_reader');
    await admin.query(`ALTER ROLE ${ROLE} SET synchronous_commit = off`);
    await expect(check('standby')).rejects.toThrow(/synchronous_commit is "off" for this role/);
    await admin.query(`ALTER ROLE ${ROLE} SET synchronous_commit = local`);
    await expect(check('standby')).rejects.toThrow(/synchronous_commit is "local" for this role/);
  });

  it('is told by one who may look that a standby which nobody named is another one', async () => {
    await follow('west');
    await setting('synchronous_standby_names', 'east');
    await expect(checkDurability(admin, 'standby')).rejects.toThrow(/is connected/);
  });
});

describe('a process that is promised nothing', () => {
  it('starts, and warns once of a standby that no commit waits for', async () => {
    const told = warnings();
    await check('single');
    expect(told).toEqual([]);
    await follow('east');
    await check('single');
    await check('single');
    expect(told).toEqual([expect.stringContaining('no commit waits for')]);
  });

  it('starts, and warns once of commits that are not written', async () => {
    const told = warnings();
    await admin.query(`ALTER ROLE ${ROLE} SET synchronous_commit = off`);
    await check('single');
    await check('single');
    expect(told).toEqual([expect.stringContaining('synchronous_commit is off')]);
  });
});
