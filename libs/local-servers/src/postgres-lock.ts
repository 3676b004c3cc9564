import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from './process-records.js';

/**
 * Removes a stale lock file. PostgreSQL mistakes any process with the pid in the lock for its predecessor, even a stranger or a
 * zombie. Keeps the lock if a server of this cluster holds it. The server still checks for attached sessions itself.
 */
export function removeStaleLock(cluster: string): void {
  const lock = join(cluster, 'postmaster.pid');
  const pid = lockedBy(lock);
  if (pid === undefined) return;
  if (identityOf(pid) === undefined || !commandOf(pid).includes(cluster)) rmSync(lock, { force: true });
}

function lockedBy(lock: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(lock, 'utf8'), 10);
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
