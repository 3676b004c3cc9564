import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INVENTORY_PAGE_SIZE } from '@weir/contracts';
import { sharedStack } from '@weir/local';
import { PATIENCE_MS } from '@weir/testing';
import { programAt } from '../support/program-at.js';
import { newWorkspace } from '../support/workspace.js';

const run = promisify(execFile);
const CLIENT = join(import.meta.dirname, '../../../../packages/client');
const PROGRAM = 'runtime-walk.mjs';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weir-runtimes-')));

/** How each runtime starts a program that may use the network and read its environment. */
const RUNTIMES = [
  { name: 'Node.js', path: process.execPath, args: [] },
  { name: 'Deno', path: programAt('deno', 'DENO_PATH'), args: ['run', '--quiet', '--allow-net', '--allow-env'] },
  { name: 'Bun', path: programAt('bun', 'BUN_PATH'), args: ['run'] },
];

beforeAll(() => {
  installed('@weir/client', CLIENT, ['package.json', 'dist']);
  const { resolve } = createRequire(join(CLIENT, 'package.json'));
  installed('openapi-fetch', dirname(resolve('openapi-fetch/package.json')), ['package.json', 'dist']);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { '@weir/client': '*' } }));
  copyFileSync(join(import.meta.dirname, PROGRAM), join(folder, PROGRAM));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Puts the published files of a package where npm would. */
function installed(name: string, from: string, files: readonly string[]): void {
  const to = join(folder, 'node_modules', name);
  mkdirSync(to, { recursive: true });
  for (const file of files) cpSync(join(from, file), join(to, file), { recursive: true });
}

for (const { name, path, args } of RUNTIMES) {
  const withRuntime = path ? describe : describe.skip;
  withRuntime(`@weir/client in ${name} (needs its program on the PATH)`, () => {
    it('reads, follows pages, answers errors as values, repeats, watches live events, and ends', async () => {
      const { id, tokens } = await newWorkspace();
      const sources = INVENTORY_PAGE_SIZE + 1;
      const env = { WEIR_URL: sharedStack().urls[0], WEIR_TOKEN: tokens.admin, SOURCES: String(sources), HOME: folder };
      const options = { cwd: folder, env, timeout: PATIENCE_MS };
      const { stdout } = await run(String(path), [...args, PROGRAM], options);
      expect(JSON.parse(stdout)).toEqual({
        workspaceId: id,
        listed: sources,
        missing: [true, 404, 'string'],
        invalid: [400, ['name']],
        unanswered: [0, true],
        aborted: 'Error: enough',
        repeated: [2, false],
        seen: ['accepted', 'Bought'],
        endedBySignal: true,
      });
    });
  });
}
