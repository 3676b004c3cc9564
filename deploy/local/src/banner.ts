import { join } from 'node:path';
import { quoted } from './env-file.js';
import type { StackAddress } from './stack.js';

/** A path as it can be pasted into a shell, quoted only if it must be. */
const shellWord = (path: string) => (/^[\w./+@-]+$/.test(path) ? path : quoted(path));

/** The text that `npm start` prints when everything is ready. */
export function banner(address: StackAddress, tookMs: number, consoleLink?: string): string {
  const { urls, email, accessToken, admin, dataDir, listens } = address;
  const [url = '', ...others] = urls;
  const rows = [
    ...(consoleLink === undefined
      ? []
      : [
          ['Console', consoleLink],
          ['', 'The link signs you in. It works once, for two minutes.'],
        ]),
    ['API', url],
    ...others.map((other) => ['', other]),
    ['API reference', `${url}/docs`],
    ['Account', email],
    ['Access token', accessToken],
    ['Admin (area D, /admin)', `${admin.user}:${admin.password}`],
    ['Data', dataDir],
  ];
  return [
    '',
    `Weir is ready after ${(tookMs / 1_000).toFixed(1)} s. Ctrl-C stops it and keeps the data.`,
    '',
    ...table(rows),
    '',
    'It listens on (HOST opens HTTP to other machines):',
    '',
    ...table(listens.map(({ where, what }) => [where, what])),
    '',
    'Try it, in another terminal (the README has a tour):',
    '',
    `  . ${shellWord(join(dataDir, 'env'))}`,
    `  curl -H "Authorization: Bearer $TOKEN" $BASE_URL/v2/workspace`,
    '',
  ].join('\n');
}

function table(rows: readonly string[][]): string[] {
  const width = Math.max(...rows.map(([label = '']) => label.length)) + 2;
  return rows.map(([label = '', value]) => `  ${label.padEnd(width)}${value}`);
}
