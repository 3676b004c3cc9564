import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf, signalProcess } from './process-identity.js';

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
