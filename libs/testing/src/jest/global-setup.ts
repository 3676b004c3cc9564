import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@weir/local-servers';

/**
 * Starts one PostgreSQL server for the whole integration run. Each test file creates its own database in it. `DATABASE_URL_TEST`
 * names another server instead, with a user that may create databases and roles.
 */
export default async function startDatabaseServer(): Promise<void> {
  if (process.env['DATABASE_URL_TEST']) return;
  const folder = mkdtempSync(join(tmpdir(), 'weir-test-postgres-'));
  const { url, server } = await startPostgres(folder);
  process.env['DATABASE_URL_TEST'] = url;
  Object.assign(globalThis, { weirTestPostgres: { folder, server } });
}
