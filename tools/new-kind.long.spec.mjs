import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const REPOSITORY = new URL('..', import.meta.url).pathname;
const TOOL = join(REPOSITORY, 'tools/new-kind.mjs');
const KINDS = 'libs/destinations/src/kinds';
let root;

/**
 * A copy, so that no test that runs at the same time meets a kind that is not finished. One for all tests: only the last one
 * changes it.
 */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'weir-new-kind-'));
  for (const path of ['package.json', 'src', 'test']) {
    cpSync(join(REPOSITORY, 'libs/destinations', path), join(root, 'libs/destinations', path), { recursive: true });
  }
  for (const file of ['jest.config.mjs', 'tsconfig.base.json', 'tools'])
    cpSync(join(REPOSITORY, file), join(root, file), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  for (const path of ['apps', 'libs/testing', 'libs/destinations/node_modules']) {
    if (existsSync(join(REPOSITORY, path))) symlinkSync(join(REPOSITORY, path), join(root, path));
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const run = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};
const newKind = (...args) => run(TOOL, ...args);
const read = (path) => readFileSync(join(root, path), 'utf8');

describe('npm run new-kind', () => {
  it('says how to use it', () => {
    expect(newKind('--help')).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^Usage: npm run new-kind -- <folder>/),
    });
  });

  it.each([
    [[], 'Name the folder of the new kind.'],
    [['acme', 'other'], 'One kind at a time: other is too much.'],
    [['Acme'], '"Acme" cannot name a folder'],
    [['../acme'], '"../acme" cannot name a folder'],
    [['switch'], '"switch" is a word of the language: add one, such as switch_api.'],
    [['acme', '--type', 'acme'], '"acme" cannot be a type'],
    [['acme', '--name', "Ac'me"], `"Ac'me" cannot be a name`],
    [['slack'], 'libs/destinations/src/kinds/slack exists already.'],
    [['my_mixpanel', '--type', 'MP'], 'mixpanel.ts has the type MP already. Choose another with --type.'],
    [
      ['mp', '--type', 'MP_TWO', '--name', 'Mixpanel'],
      'mixpanel.ts is called Mixpanel already. Choose another with --name.',
    ],
    [['acme', '--folder', 'x'], "Unknown option '--folder'"],
  ])('refuses %j with a reason, and changes nothing', (args, reason) => {
    const before = read(`${KINDS}/index.ts`);
    const { status, said } = newKind(...args);
    expect(said).toContain(reason);
    expect(said).toContain('Usage: npm run new-kind');
    expect([status, read(`${KINDS}/index.ts`)]).toEqual([1, before]);
  });

  it('makes a kind that compiles and keeps every rule, with a test that fails and says what comes next', () => {
    expect(newKind('acme_ads')).toMatchObject({ status: 0, said: expect.stringContaining('of type ACME_ADS') });
    expect(read(`${KINDS}/index.ts`)).toContain(
      "export { default as acmeAds } from './acme_ads/acme_ads.js';\nexport { default as adjust }",
    );

    writeFileSync(
      join(root, 'tsconfig.json'),
      JSON.stringify({
        extends: './tsconfig.base.json',
        compilerOptions: { noEmit: true },
        files: ['acme_ads.ts', 'acme_ads.spec.ts'].map((file) => `${KINDS}/acme_ads/${file}`),
      }),
    );
    expect(run('node_modules/typescript/bin/tsc', '-p', '.')).toEqual({ status: 0, said: '' });

    const jest = [
      '--experimental-vm-modules',
      'node_modules/jest/bin/jest.js',
      '--rootDir',
      root,
      '--selectProjects',
      'unit',
      '-i',
    ];
    const own = run(...jest, '--', `${KINDS}/acme_ads`);
    expect(own.said).toContain('acme_ads.ts still holds placeholders. Next:');
    expect(own.said).toMatch(/Tests: +1 failed, 3 passed/);
    const rules = run(
      ...jest,
      '-t',
      'ACME_ADS',
      '--',
      'every-kind.spec',
      'every-kind-secrets.spec',
      'hostile-events.spec',
      'address-keys.spec',
    );
    expect(rules.status).toBe(0);
    expect(rules.said).toMatch(/Test Suites: 4 passed/);
  });
});
