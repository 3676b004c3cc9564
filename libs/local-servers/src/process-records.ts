import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Kills a leftover process that does not end within this time. */
const LEFTOVER_GRACE_MS = 3_000;
const POLL_MS = 25;

interface ProcessRecord {
  pid: number;
  identity: string;
}

/**
 * Records the processes of this data directory, one small file each. After a SIGKILL of the launcher, the next start finds the
 * survivors. It never mistakes a stranger with the same pid for one of them.
 */
export class ProcessRecords {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  add(name: string, pid: number): void {
    const identity = identityOf(pid);
    if (identity) writeFileSync(this.fileOf(name), JSON.stringify({ pid, identity } satisfies ProcessRecord));
  }

  remove(name: string): void {
    rmSync(this.fileOf(name), { force: true });
  }

  /** Ends processes that an earlier launcher left running. Resolves with their names. */
  async endLeftovers(): Promise<string[]> {
    const files = readdirSync(this.folder).filter((file) => file.endsWith('.json'));
    const ended = await Promise.all(files.map((file) => this.endLeftover(file)));
    return ended.filter((name) => name !== undefined);
  }

  private async endLeftover(file: string): Promise<string | undefined> {
    const record = readRecord(join(this.folder, file));
    const wasRunning = record !== undefined && isRunning(record);
    if (wasRunning) await endProcess(record);
    rmSync(join(this.folder, file), { force: true });
    return wasRunning ? file.replace(/\.json$/, '') : undefined;
  }

  private fileOf(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}

function readRecord(path: string): ProcessRecord | undefined {
  try {
    const record: Partial<ProcessRecord> = JSON.parse(readFileSync(path, 'utf8'));
    return record.pid && record.identity ? { pid: record.pid, identity: record.identity } : undefined;
  } catch {
    return undefined; // a half-written record: its process died with the launcher, or its own lock finds it
  }
}

const isRunning = (record: ProcessRecord) => identityOf(record.pid) === record.identity;

/** SIGINT stops both servers and every Weir process quickly and cleanly. */
async function endProcess(record: ProcessRecord): Promise<void> {
  signalProcess(record.pid, 'SIGINT');
  const end = Date.now() + LEFTOVER_GRACE_MS;
  while (isRunning(record) && Date.now() < end) await delay(POLL_MS);
  if (isRunning(record)) signalProcess(record.pid, 'SIGKILL');
  while (isRunning(record)) await delay(POLL_MS);
}

/**
 * The start time of a process, to tell it from a later one with the same pid. Undefined if no such process runs. Linux has it in
 * /proc, because slim images may lack `ps`. Other systems use `ps`.
 */
export function identityOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    // The name in parentheses may hold spaces, so this counts from its end: state is field 3, start time field 22.
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

/** Sends a signal. Ignores a process that has already ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
