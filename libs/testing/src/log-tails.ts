import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of each log; a failed test is explained by the end, and a report is to be read by people. */
const LINES_MAX = 30;
const LINE_LENGTH_MAX = 500;

/** The last lines of what each process of a stack logged, for the report of a run that failed. */
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
