import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from './process-identity.js';

/**
 * PostgreSQL takes any living process with the pid in its lock file for its predecessor, also a stranger that got the
 * pid later and one that is dead and only not collected yet. Removes the lock unless a server of this cluster holds it;
 * the server's own check for sessions that are still attached stays in force.
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
