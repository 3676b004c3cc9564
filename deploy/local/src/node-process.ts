import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { ProcessName } from '@weir/contracts';
import { COMPILE_CACHE_DIR, type Program, StackFault, withLog } from '@weir/local-servers';
import {
  appOf,
  environmentOf,
  type HttpAddress,
  NATS_CREDENTIALS_FD,
  natsUrlOf,
  type StackFacts,
} from './environment.js';

/**
 * Saves memory with a dozen Node processes on one laptop. A small young generation keeps each process near its live data. The
 * default lets it grow by 48 MiB before the first full collection. Two malloc arenas suffice for one JavaScript thread.
 */
const SMALL_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size'];
/** Gives processes on the event path a young generation for a few batches. */
const EVENT_PATH_FLAGS = ['--max-semi-space-size=8'];
const EVENT_PATH: readonly ProcessName[] = ['gateway.main', 'delivery-service.deliverer', 'schema-service.collector'];
/** The filter keeps nothing between batches. A larger heap would only delay garbage collection. */
const FILTER_FLAGS = [...EVENT_PATH_FLAGS, '--max-old-space-size=192'];
/**
 * Batches pass the sandbox as buffers, which a small collection frees. V8 collects the whole heap for each 64 MiB of those that
 * are still there, which cost half the CPU of the sandbox with a larger young generation.
 */
const SANDBOX_FLAGS = ['--max-semi-space-size=2'];
const MEMORY_VARIABLES = { MALLOC_ARENA_MAX: '2' };

export interface NodeProcessOptions {
  process: ProcessName;
  replica: number;
  appsDir: string;
  /** Read at each start. */
  facts: StackFacts;
  /** HTTP address, for the gateway only. */
  address?: HttpAddress;
  /** HTTP port of probes and metrics. Without it, they are not served. */
  opsPort?: number | undefined;
  /** Variables besides its own. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** Destination of its output: the launcher's own output, or a file. */
  output: 'inherit' | { folder: string };
}

/** `gateway.main`, and `gateway.main-2` for its second replica. */
export const programName = (process: ProcessName, replica: number): string =>
  replica === 0 ? process : `${process}-${replica + 1}`;

export function nodeProgram(options: NodeProcessOptions): Program {
  const entry = entryOf(options.appsDir, options.process);
  const name = programName(options.process, options.replica);
  const environment = () => ({
    ...environmentOf(options.process, options.facts, options.address),
    ...MEMORY_VARIABLES,
    // User code runs beside the sandbox. It must not be able to leave compiled code for other processes.
    ...(appOf(options.process) !== 'code-sandbox' && { NODE_COMPILE_CACHE: COMPILE_CACHE_DIR }),
    ...(options.opsPort !== undefined && { OPS_PORT: String(options.opsPort) }),
    ...options.variables,
  });
  const flags = flagsOf(options.process);
  const isSandbox = appOf(options.process) === 'code-sandbox';
  const start = (output: number | 'inherit') => {
    const pipe = isSandbox ? ('pipe' as const) : ('ignore' as const);
    const child = spawn(process.execPath, [...flags, entry], {
      env: environment(),
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
  if (process === 'code-sandbox.main') return SANDBOX_FLAGS;
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
  pipe.on('error', () => undefined); // the child ended before it read, and its exit reports that
  pipe.end(secret);
}

function untilReadyMessage(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message && 'type' in message && message.type === 'ready') resolve();
    });
  });
}
