import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { weir, folder } = useCommandLine();
/** Has no kinds of destinations, which is all that an import asks for. */
const url = useServer((_, response) => response.setHeader('content-type', 'application/json').end('[]'));

it('shows as done what is done: project files that cannot be read are no import', async () => {
  const terminal = new PassThrough({ encoding: 'utf8' });
  const env = { WEIR_URL: url(), WEIR_TOKEN: 'weir_x' };
  const { code, err } = await weir('import rudderstack --project nowhere', { env, terminal });
  const shown = String(terminal.read());
  expect([code, err]).toEqual([1, expect.stringContaining('nowhere')]);
  // the sign before the last title: the one of a failure
  expect(shown.trim().split('\n').at(-1)).toMatch(/^\W*[■x]\W* {2}Importing/);
});

it('takes no refusal of Segment for an answer', async () => {
  const env = { WEIR_URL: url(), WEIR_TOKEN: 'weir_x' };
  writeFileSync(
    join(folder, 'instances.json'),
    '{"errors":[{"type":"bad-request","message":"functionId is missing"}]}',
  );
  const { code, err } = await weir('import segment instances.json --out refused', { env });
  expect([code, err]).toEqual([2, expect.stringContaining('instances.json holds a refusal of Segment')]);
  expect([err, existsSync(join(folder, 'refused'))]).toEqual([expect.stringContaining('functionId is missing'), false]);
});
