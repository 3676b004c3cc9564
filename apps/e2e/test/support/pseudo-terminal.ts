import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { until } from '@weir/testing';
import { PROGRAM } from './command-line.js';

/** Keys as a terminal sends them. */
export const KEYS = { enter: '\r', down: '\u001b[B', interrupt: '\u0003' };

/**
 * The built command line with a terminal, so that it asks and paints as it does for a person. `script` of util-linux makes the
 * terminal: packages that do it in the process have to be compiled.
 */
export class PseudoTerminal {
  /** Everything that was printed so far, as a terminal gets it. */
  raw = '';
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<unknown[]>;

  constructor(args: readonly string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
    const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    // Without a size, prompts break their lines after each character.
    const sized = `stty cols 120 rows 40; exec ${command}`;
    const options = ['--quiet', '--return', '--flush', '--command', sized, '/dev/null'];
    this.child = spawn('script', options, { cwd, env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' } });
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.raw += chunk;
    });
    this.ended = once(this.child, 'close');
  }

  /** The text that a person reads. */
  get text(): string {
    return stripVTControlCharacters(this.raw);
  }

  /** Waits until the text is on the screen, and then presses the keys. */
  async answer(question: string, keys: string): Promise<void> {
    await until(question, () => this.text.includes(question));
    this.child.stdin.write(keys);
  }

  /** Ends it, if a test has not. */
  close(): void {
    this.child.kill();
  }

  /** Resolves with the exit code. */
  async end(): Promise<number> {
    const [exitCode] = await this.ended;
    return Number(exitCode);
  }
}
