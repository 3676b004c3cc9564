import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { childFlags } from './child-flags.js';

/** Last words of a child that died, for the log. */
const STDERR_CHARS_MAX = 2_000;

/** Starts a child with an empty environment, joined to its supervisor by a socket of its own or by the one that is given. */
export function spawnChild(script: string, memoryMb: number, socket: 'pipe' | Socket): ChildProcess {
  return spawn(process.execPath, [...childFlags(script), script, String(memoryMb)], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', socket],
  });
}

/** Tells the end of a child once everything that it wrote has been read. */
export function onceEnded(child: ChildProcess, ended: (signal: string | null, lastWords: string) => void): void {
  let lastWords = '';
  child.stderr?.on('data', (chunk) => {
    lastWords = `${lastWords}${chunk}`.slice(-STDERR_CHARS_MAX);
  });
  child.on('error', () => undefined);
  child.once('close', (_code, signal) => ended(signal, lastWords));
}
