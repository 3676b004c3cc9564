import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PATIENCE_MS } from '@weir/testing';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'weir-package-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Packs what a release would publish, and returns the path of the archive. */
async function pack(project: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: join(ROOT, project) });
  return join(folder, JSON.parse(stdout)[0].filename);
}

/** Installs archives where nothing else is: no registry, no cache, no workspace. Returns the folder. */
async function install(name: string, ...archives: string[]): Promise<string> {
  const into = join(folder, name);
  mkdirSync(into);
  writeFileSync(join(into, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', '--cache', join(into, 'cache'), '--no-audit', ...archives], { cwd: into });
  return into;
}

let [cli, client] = ['', ''];
beforeAll(async () => {
  cli = await install('cli', await pack('apps/cli'));
  const needed = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => pack(`node_modules/${name}`));
  client = await install('client', await pack('packages/client'), ...(await Promise.all(needed)));
}, PATIENCE_MS);

it('the command line needs no other package', async () => {
  const weir = (...args: string[]) => run(join(cli, 'node_modules/.bin/weir'), args, { cwd: cli });
  expect((await weir('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  await weir('init', 'shop');
  expect((await weir('schema')).stdout).toContain('weir.yaml');
});

it('the client needs openapi-fetch alone', async () => {
  const code =
    'import { createClient } from "@weir/client"; console.log(typeof createClient({ url: "http://a" }).GET);';
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: client });
  expect(stdout).toBe('function\n');
});
