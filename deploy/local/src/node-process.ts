import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { ProcessName } from '@weir/contracts';
import {
  appOf,
  environmentOf,
  type HttpAddress,
  NATS_CREDENTIALS_FD,
  natsUrlOf,
  type StackFacts,
} from './environment.js';
import { StackFault } from './fault.js';
import { withLog } from './logs.js';
import type { Program } from './supervise.js';

/**
 * A dozen Node processes on one laptop: a small young generation keeps each near its live data (the default lets it
 * grow by 48 MiB before the first full collection), and two malloc arenas are plenty for one JavaScript thread.
 */
const SMALL_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size'];
/** What every event passes gets room to work: its young generation holds a few batches. */
const EVENT_PATH_FLAGS = ['--max-semi-space-size=8'];
const EVENT_PATH: readonly ProcessName[] = [
  'gateway.main',
  'test-runner.deliverer',
  'code-sandbox.main',
  'schema-service.collector',
];
/** It keeps nothing from one batch to the next: with more room it would only let its garbage lie for longer. */
const FILTER_FLAGS = [...EVENT_PATH_FLAGS, '--max-old-space-size=192'];
const MEMORY_VARIABLES = { MALLOC_ARENA_MAX: '2' };

export interface NodeProcessOptions {
  process: ProcessName;
  replica: number;
  appsDir: string;
  facts: StackFacts;
  /** Of HTTP; the gateway has one. */
  address?: HttpAddress;
  /** HTTP port of its probes and metrics; without one they are not served. */
  opsPort?: number | undefined;
  /** Where its output goes: to the launcher's own, or to a file. */
  output: 'inherit' | { folder: string };
}

/** `gateway.main`, and `gateway.main-2` for its second replica. */
export const programName = (process: ProcessName, replica: number): string =>
  replica === 0 ? process : `${process}-${replica + 1}`;

export function nodeProgram(options: NodeProcessOptions): Program {
  const entry = entryOf(options.appsDir, options.process);
  const name = programName(options.process, options.replica);
  const environment = {
    ...environmentOf(options.process, options.facts, options.address),
    ...MEMORY_VARIABLES,
    ...(options.opsPort !== undefined && { OPS_PORT: String(options.opsPort) }),
  };
  const flags = flagsOf(options.process);
  const isSandbox = appOf(options.process) === 'code-sandbox';
  const start = (output: number | 'inherit') => {
    const pipe = isSandbox ? ('pipe' as const) : ('ignore' as const);
    const child = spawn(process.execPath, [...flags, entry], {
      env: environment,
      stdio: ['ignore', output, output, pipe, 'ipc'],
    });
    if (isSandbox) handOver(child, natsUrlOf(options.process, options.facts));
    return child;
  };
  const base = { name, ready: untilReadyMessage, stopSignal: 'SIGTERM' as const };
  if (options.output === 'inherit') return { ...base, spawn: () => start('inherit') };
  const logFile = join(options.output.folder, `${name}.log`);
  return { ...base, logFile, spawn: () => withLog(logFile, start) };
}

function flagsOf(process: ProcessName): readonly string[] {
  if (process === 'regulation-service.filter') return FILTER_FLAGS;
  return EVENT_PATH.includes(process) ? EVENT_PATH_FLAGS : SMALL_FLAGS;
}

export function entryOf(appsDir: string, process: ProcessName): string {
  const [app = '', entry = ''] = process.split('.');
  const path = join(appsDir, app, 'dist', `${entry}.js`);
  if (!existsSync(path)) throw new StackFault(`${path} is missing: run "npm run build" first.`);
  return path;
}

function handOver(child: ChildProcess, secret: string): void {
  const pipe = child.stdio[NATS_CREDENTIALS_FD] as Writable;
  pipe.on('error', () => undefined); // the child ended before it read: its exit says so
  pipe.end(secret);
}

function untilReadyMessage(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message && 'type' in message && message.type === 'ready') resolve();
    });
  });
}
