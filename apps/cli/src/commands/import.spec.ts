import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';

const { weir } = useCommandLine();
/** Has no kinds of destinations, which is all that an import asks for. */
const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end('[]'));
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));

it('shows as done what is done: project files that cannot be read are no import', async () => {
  const terminal = new PassThrough({ encoding: 'utf8' });
  const env = { WEIR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, WEIR_TOKEN: 'weir_x' };
  const { code, err } = await weir('import rudderstack --project nowhere', { env, terminal });
  const shown = String(terminal.read());
  expect([code, err]).toEqual([1, expect.stringContaining('nowhere')]);
  // the sign before the last title: the one of a failure
  expect(shown.trim().split('\n').at(-1)).toMatch(/^\W*[■x]\W* {2}Importing/);
});
