import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@weir/local';

/**
 * One PostgreSQL for the whole integration run; each test file makes a database of its own in it. `DATABASE_URL_TEST`
 * names another server, by a user that may create databases and roles.
 */
export default async function startDatabaseServer(): Promise<void> {
  if (process.env['DATABASE_URL_TEST']) return;
  const folder = mkdtempSync(join(tmpdir(), 'weir-test-postgres-'));
  const { url, server } = await startPostgres(folder);
  process.env['DATABASE_URL_TEST'] = url;
  Object.assign(globalThis, { weirTestPostgres: { folder, server } });
}
