import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Io } from './core/io.js';

/** The process itself. */
export function processIo(): Io {
  const interruption = new AbortController();
  // The second Ctrl-C ends the process at once.
  process.once('SIGINT', () => interruption.abort());
  const isWatched = process.stderr.isTTY === true && !process.env['CI'];
  // A reader such as `head` may leave early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isOutTty: process.stdout.isTTY === true,
    terminal: isWatched ? process.stderr : undefined,
    isInteractive: process.stdin.isTTY === true && isWatched,
    readInput: async () => {
      let text = '';
      for await (const chunk of process.stdin) text += chunk;
      return text;
    },
    sandboxScript: fileURLToPath(new URL('./sandbox/local.js', import.meta.url)),
    signal: interruption.signal,
  };
}
