import { appendFileSync } from 'node:fs';
import type { Line } from '../history/lines.js';

/** Clock of all lines. Everybody who writes runs in this process. */
export const now = (): number => performance.now();

/** Takes down a history, one JSON line each, so that it can be judged again. */
export class Recorder {
  readonly lines: Line[] = [];

  constructor(private readonly file: string) {}

  write(line: Line): void {
    this.lines.push(line);
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}
