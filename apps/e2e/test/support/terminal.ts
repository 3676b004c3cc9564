import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '@weir/testing';

/** A shell into which a test pastes one block after the other, as a user does. */
export class Terminal {
  /** Everything that was printed so far, also by what runs in the background. */
  output = '';
  private readonly shell: ChildProcessWithoutNullStreams;
  private blocks = 0;

  constructor(cwd: string) {
    this.shell = spawn('sh', { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream.on('data', (chunk) => {
        this.output += chunk;
      });
    }
  }

  /** Resolves when the block has ended, with what was printed meanwhile. */
  async paste(block: string): Promise<string> {
    const [from, end] = [this.output.length, `@@ end of block ${++this.blocks}`];
    this.shell.stdin.write(`${block}\necho; echo '${end}'\n`);
    await until(end, () => this.output.includes(end));
    return this.output.slice(from, this.output.indexOf(end));
  }

  /** Ends the shell. Resolves with its exit code. */
  async close(): Promise<number | null> {
    const closed = once(this.shell, 'close');
    this.shell.stdin.end();
    const [exitCode] = await closed;
    return exitCode;
  }
}
