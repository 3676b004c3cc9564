import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { PATIENCE_MS } from '@weir/testing';
import { newWorkspace, type Workspace } from './support/workspace.js';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '../../cli');
const folder = mkdtempSync(join(tmpdir(), 'weir-executable-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));
const executable = join(folder, process.platform === 'win32' ? 'weir.exe' : 'weir');
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
  await run(process.execPath, ['executable.mjs', executable], { cwd: CLI });
}, PATIENCE_MS);

/** Without any variable but these: nothing may find another Node.js. */
const weir = (...args: string[]) =>
  run(executable, args, { cwd: folder, env: { WEIR_URL: sharedStack().urls[0], WEIR_TOKEN: own.tokens.admin } });

it('the command line is one file that brings Node.js along', async () => {
  expect((await weir('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(JSON.parse((await weir('status', '--json')).stdout)).toMatchObject({ workspace: { id: own.id } });
  await weir('init', 'shop');
  expect((await weir('plan', '--dir', 'shop')).stdout).toContain('create');
  await expect(weir('trace', 'nobody-sent-this')).rejects.toMatchObject({ code: 4 });
});

it('dev says what it needs beside it', async () => {
  await expect(weir('dev', '--project', 'shop', '--once', '--offline')).rejects.toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('npm install --global weir-cli') },
  });
});
