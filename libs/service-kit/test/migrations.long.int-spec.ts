import { expect, it } from '@jest/globals';
import { useDatabase, useNats } from '@weir/testing';
import type { QueryRunner } from 'typeorm';
import { runMigrations } from '../src/index.js';

const db = useDatabase('regulation', []);
const nats = useNats();

/** Longer than a statement of a process may take, and than a process waits for a silent server (18 s). */
const SECONDS = 19;

class BuildForLong1764000000001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT pg_sleep(${SECONDS})`);
    await runner.query(`CREATE TABLE bounds AS SELECT current_setting('lock_timeout') AS lock_timeout`);
  }

  async down(): Promise<void> {}
}

it('a migration takes as long as it needs, and a second migrator waits for it', async () => {
  const migrate = () =>
    runMigrations({ schema: 'regulation', url: db.url, natsUrl: nats.url, migrations: [BuildForLong1764000000001] });
  await Promise.all([migrate(), migrate()]);
  expect(await db.dataSource.query('SELECT lock_timeout FROM bounds')).toEqual([{ lock_timeout: '5s' }]);
});
