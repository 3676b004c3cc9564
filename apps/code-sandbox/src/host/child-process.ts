import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { CHILD_OLD_SPACE_MB, CHILD_SEMI_SPACE_MB } from '../limits.js';

/** Length of the last error output of a dead child, for the log. */
const STDERR_CHARS_MAX = 2_000;

/** User code yields to the rest of Weir when there is too little processor time: it gets a third of what others get. */
const CHILD_NICENESS = 5;

/** Starts a child with an empty environment, connected to its supervisor by a new socket or by the given one. */
export function spawnChild(script: string, memoryMb: number, socket: 'pipe' | Socket): ChildProcess {
  const child = spawn(process.execPath, [...childFlags(script), script, String(memoryMb)], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', socket],
  });
  if (child.pid !== undefined) setPriority(child.pid, CHILD_NICENESS);
  return child;
}

/** Reports the end of a child after all its output has been read. */
export function onceEnded(child: ChildProcess, ended: (signal: string | null, lastWords: string) => void): void {
  let lastWords = '';
  child.stderr?.on('data', (chunk) => {
    lastWords = `${lastWords}${chunk}`.slice(-STDERR_CHARS_MAX);
  });
  child.on('error', () => undefined);
  child.once('close', (_code, signal) => ended(signal, lastWords));
}

/** node-gyp-build reads this file to detect musl before it picks a prebuilt binary. */
const ALPINE_MARK = '/etc/alpine-release';

/**
 * Node flags of a child. The permission model limits code that breaks out of the isolate. It can read the child's own code and
 * the packages, but write no file and start no program or worker.
 */
export function childFlags(script: string): string[] {
  const packages = dirname(dirname(createRequire(import.meta.url).resolve('isolated-vm')));
  const readable = [dirname(script), packages, ALPINE_MARK];
  return [
    '--no-node-snapshot', // isolated-vm requires it
    `--max-old-space-size=${CHILD_OLD_SPACE_MB}`,
    `--max-semi-space-size=${CHILD_SEMI_SPACE_MB}`,
    '--permission',
    '--allow-addons',
    '--disable-warning=PERM0001', // addons are the purpose of the child
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}
