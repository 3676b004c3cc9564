import { appendFileSync } from 'node:fs';
import type { Line } from '../history/lines.js';

/** Clock of all lines. Everybody who writes runs in this process. */
export const now = (): number => performance.now();

/** Takes down a history, one JSON line each, so that it can be judged again. */
export class Recorder {
  private kept: Line[] = [];

  constructor(private readonly file: string) {}

  get lines(): readonly Line[] {
    return this.kept;
  }

  write(line: Line): void {
    this.kept.push(line);
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  /** Hands over the lines. Later ones are in the file only, so that the memory of long runs does not grow. */
  close(): readonly Line[] {
    const { kept } = this;
    this.kept = [];
    return kept;
  }
}
