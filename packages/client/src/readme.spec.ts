import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { json, useServer } from '../test/server.js';

const PROJECT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'weir-client-'));
afterAll(() => rmSync(folder, { recursive: true }));
const server = useServer();

/** The server's answer to each example, and the output of the example. */
const EXAMPLES = {
  'calls.ts': {
    script: [
      json(403, { message: 'no', code: 'FORBIDDEN' }, { 'x-request-id': 'r1' }),
      json(200, { workspace: { name: 'w' } }),
    ],
    prints: 'FORBIDDEN: no (request r1)\nworkspace w\n',
  },
  'lists.ts': {
    script: [json(200, { data: [{ eventName: 'Bought', reason: 'gone' }], paging: {} })],
    prints: 'Bought: gone\n',
  },
  'live.ts': {
    script: [
      (_: unknown, response: ServerResponse) => {
        response.write('event: accepted\ndata: {"name":"Bought"}\n\n');
        response.write('event: delivery\ndata: {"outcome":"delivered"}\n\n');
      },
    ],
    prints: 'Bought arrived\n',
  },
};

it('the README shows each example whole', () => {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  expect(readdirSync(join(PROJECT, 'examples'))).toEqual(Object.keys(EXAMPLES));
  for (const file of Object.keys(EXAMPLES)) {
    expect(readme).toContain(`\`\`\`ts\n${readFileSync(join(PROJECT, 'examples', file), 'utf8')}\`\`\``);
  }
});

it.each(Object.entries(EXAMPLES))(
  '%s runs in a process of its own and ends by itself',
  async (file, { script, prints }) => {
    const outfile = join(folder, `${file}.mjs`);
    const entryPoints = [join(PROJECT, 'examples', file)];
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', conditions: ['source'] });
    server.script = script;
    const env = { WEIR_URL: server.url, WEIR_TOKEN: 't1' };
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env });
    expect(stdout).toBe(prints);
  },
);
