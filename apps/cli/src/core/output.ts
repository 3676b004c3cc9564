import type { Writable } from 'node:stream';
import { taskLog } from '@clack/prompts';
import picocolors from 'picocolors';
import type { Failure } from './errors.js';
import type { Io } from './io.js';
import { printable } from './table.js';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Writes results to the output and everything else to the error output, so that results can be piped. */
export class Output {
  readonly colors: Colors;

  constructor(
    private readonly io: Io,
    readonly isJson: boolean,
    wantsColors = true,
  ) {
    const { NO_COLOR, FORCE_COLOR } = io.env;
    const isOn = FORCE_COLOR ? true : io.isOutTty && !NO_COLOR && io.env['TERM'] !== 'dumb';
    this.colors = picocolors.createColors(isOn && wantsColors && !isJson);
  }

  /** The result of a command: JSON with `--json`, or what `text` makes of it. */
  result(value: unknown, text: (colors: Colors) => string): void {
    const shown = this.isJson ? JSON.stringify(value, null, 2) : text(this.colors);
    if (shown !== '') this.io.out(`${shown}\n`);
  }

  /** One of many results that come one after another: a line each. */
  item(value: unknown, text: (colors: Colors) => string): void {
    this.io.out(`${this.isJson ? JSON.stringify(value) : text(this.colors)}\n`);
  }

  /** Reports progress. Programs do not get it. */
  note(text: string): void {
    if (!this.isJson) this.io.err(`${text}\n`);
  }

  /** Does work that may take long, and shows a person at a terminal how far it is. Its steps are notes elsewhere. */
  during<Result>(title: string, work: (progress: Progress) => Promise<Result>): Promise<Result> {
    const { terminal } = this.io;
    if (terminal && !this.isJson) return shown(title, terminal, work);
    return work({ step: (text) => this.note(`… ${text}`), detail: () => {} });
  }

  failure(failure: Failure): void {
    if (this.isJson) {
      this.io.err(`${JSON.stringify({ error: failure })}\n`);
      return;
    }
    const { message, hint, details = {} } = failure;
    const lines = [this.colors.red(`✗ ${message}`)];
    const isTold = ([field]: [string, unknown]) => message.includes(field);
    for (const [field, problem] of Object.entries(details).filter((one) => !isTold(one)))
      lines.push(`  ${field}: ${typeof problem === 'string' ? problem : JSON.stringify(problem)}`);
    if (hint) lines.push(`  ${hint}`);
    this.io.err(`${lines.join('\n')}\n`);
  }
}

/** Tells what a long operation does now. */
interface Progress {
  /** Begins a step. A pipe or a log gets it as a note. */
  step(text: string): void;
  /** Says how far it is, to a person who watches. */
  detail(text: string): void;
}

/** Does the work under a title, and shows its last line on the terminal. The line goes when the work is done. */
async function shown<Result>(
  title: string,
  output: Writable,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const log = taskLog({ title, output, limit: 1, spacing: 0 });
  const tell = (text: string) => log.message(printable(text));
  try {
    const result = await work({ step: tell, detail: tell });
    log.success(title);
    return result;
  } catch (error) {
    log.error(title);
    throw error;
  }
}
