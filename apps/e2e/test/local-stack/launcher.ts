import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from '@weir/local-servers';
import { until } from '@weir/testing';
import type { StandIns } from './stand-ins.js';

export interface Launcher {
  pid: number;
  output(): string;
  /** Resolves with the exit code, or with null if a signal ended the launcher. */
  exited: Promise<number | null>;
  /** Sends the signal to the launcher alone. */
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal to the whole process group, as Ctrl-C does. */
  signalGroup(signal: NodeJS.Signals): void;
}

/** Starts a launcher as the leader of a process group. Its environment is `env` and the PATH. */
export function startLauncher({ startScript, appsDir }: StandIns, env: Record<string, string>): Launcher {
  const child: ChildProcess = spawn(process.execPath, [startScript, appsDir], {
    detached: true,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const { pid = 0 } = child;
  return {
    pid,
    output: () => output,
    exited: new Promise((resolve) => child.once('exit', resolve)),
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => void process.kill(-pid, signal),
  };
}

export const untilReady = (launcher: Launcher): Promise<boolean> =>
  until('the banner', () => launcher.output().includes('Weir is ready'));

/** Pids of everything that runs on a data directory, by program. */
export function pidsOf(dataDir: string): Map<string, number> {
  const folder = join(dataDir, 'records');
  const entries = readdirSync(folder).flatMap((file) => {
    const record = readIfThere(join(folder, file));
    return record ? [[file.replace(/\.json$/, ''), Number(JSON.parse(record).pid)] as const] : [];
  });
  return new Map(entries);
}

/** Whether a process runs. A zombie process does not count. */
export const isRunning = (pid: number): boolean => identityOf(pid) !== undefined;

/** A record disappears with its process, even between the listing and the reading. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
