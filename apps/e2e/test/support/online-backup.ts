import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Files that belong to the running server, and the log, which is copied last. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot'];

/**
 * Backs up the cluster of a running stack while it is in use, as `pg_basebackup` does: between the two calls, files are copied
 * in any state, and the log of that time makes them whole when the copy starts.
 *
 * @param target A data folder for another stack. Gets the cluster and the secrets, which belong to a backup.
 */
export async function backUp({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }, target: string) {
  const [from, to] = [join(dataDir, 'postgres'), join(target, 'postgres')];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // the slot keeps the log from being removed before it is copied
    await client.query(`SELECT pg_create_physical_replication_slot('backup', true, true)`);
    await client.query(`SELECT pg_backup_start('backup', true)`);
    copy(from, to, (path) => !LEFT_OUT.includes(path));
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), rows[0].labelfile);
    for (const folder of ['pg_wal', 'pg_replslot']) mkdirSync(join(to, folder), { mode: 0o700 });
    copy(join(from, 'pg_wal'), join(to, 'pg_wal'), () => true);
  } finally {
    await client.end();
  }
  copyFileSync(join(dataDir, 'secrets.json'), join(target, 'secrets.json'));
}

/** @param chosen Decides by the path within the folder */
function copy(from: string, to: string, chosen: (path: string) => boolean): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!chosen(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copy(source, target, () => true);
    else if (entry.isFile()) copyUnlessGone(source, target);
  }
}

/** The server may remove a file at any time. The log knows. */
function copyUnlessGone(source: string, target: string): void {
  try {
    copyFileSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
