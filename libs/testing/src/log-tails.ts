import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lines per log. The end explains a failed test, and people read the report. */
const LINES_MAX = 30;
const LINE_LENGTH_MAX = 500;

/** The last log lines of each process of a stack, for the report of a failed run. */
export function logTails(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  const tails = readdirSync(folder)
    .sort()
    .map((name) => ({ name, lines: lastLines(readFileSync(join(folder, name), 'utf8')) }))
    .filter(({ lines }) => lines.length > 0);
  return tails.map(({ name, lines }) => `--- the end of ${name}\n${lines.join('\n')}\n`).join('');
}

const lastLines = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .slice(-LINES_MAX)
    .map((line) => line.slice(0, LINE_LENGTH_MAX));
