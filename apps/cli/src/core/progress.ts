import type { Writable } from 'node:stream';
import { taskLog } from '@clack/prompts';
import { printable } from './table.js';

/** Tells what a long operation does now. */
export interface Progress {
  /** Begins a step. A pipe or a log gets it as a note. */
  step(text: string): void;
  /** Says how far it is, to a person who watches. */
  detail(text: string): void;
}

/** Does the work under a title, and shows its last line on the terminal. The line goes when the work is done. */
export async function shown<Result>(
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
