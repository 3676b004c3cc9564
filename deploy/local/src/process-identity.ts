import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells one process from a later one with the same pid: when it started. Undefined when no such process runs.
 * Linux keeps it in /proc (and `ps` may be missing in slim images); elsewhere `ps` knows.
 */
export function identityOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    // The name in parentheses may hold spaces, so count from its end: state is field 3, start time field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\)\s/s, '')
      .split(' ');
    if (fields[0] === 'Z' || fields[19] === undefined) return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

/** Sends a signal; a process that is gone already is fine. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
