import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { childFlags } from './child-flags.js';

/** Length of the last error output of a dead child, for the log. */
const STDERR_CHARS_MAX = 2_000;

/** Starts a child with an empty environment, connected to its supervisor by a new socket or by the given one. */
export function spawnChild(script: string, memoryMb: number, socket: 'pipe' | Socket): ChildProcess {
  return spawn(process.execPath, [...childFlags(script), script, String(memoryMb)], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', socket],
  });
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
