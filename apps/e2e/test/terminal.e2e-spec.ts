import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { until } from '@weir/testing';
import { runWeir } from './support/command-line.js';
import { KEYS, PseudoTerminal } from './support/pseudo-terminal.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

const folder = mkdtempSync(join(tmpdir(), 'weir-terminal-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));
let own: Workspace;
let env: NodeJS.ProcessEnv;
let nobody: NodeJS.ProcessEnv;
let url: string;
beforeAll(async () => {
  own = await newWorkspace();
  url = sharedStack().urls[0] ?? '';
  nobody = { PATH: process.env['PATH'], HOME: folder };
  env = { ...nobody, WEIR_URL: url, WEIR_TOKEN: own.tokens.admin };
});

const terminals: PseudoTerminal[] = [];
afterAll(() => {
  for (const one of terminals) one.close();
});
function open(args: readonly string[], { cwd = folder, as = env } = {}): PseudoTerminal {
  const terminal = new PseudoTerminal(args, { cwd, env: as });
  terminals.push(terminal);
  return terminal;
}
const weir = async (args: readonly string[], cwd = folder) => (await runWeir([...args, '--json'], { cwd, env })).json;

describe('login', () => {
  it('asks for the address and the token, and never shows the token', async () => {
    const login = open(['login'], { as: nobody });
    await login.answer('Address of Weir', `${url}${KEYS.enter}`);
    await login.answer('Access token', `${own.tokens.admin}${KEYS.enter}`);
    expect([await login.end(), login.text]).toEqual([0, expect.stringContaining(`✓ Logged in to ${url}`)]);
    expect(login.raw).not.toContain(own.tokens.admin);
    const stored = JSON.parse(readFileSync(join(folder, '.config/weir/credentials.json'), 'utf8'));
    expect(stored).toEqual({ url, token: own.tokens.admin });
  });

  it('stores nothing if it is left', async () => {
    const home = join(folder, 'other');
    const login = open(['login', '--url', url], { as: { ...nobody, XDG_CONFIG_HOME: home } });
    await login.answer('Access token', KEYS.interrupt);
    expect([await login.end(), login.text]).toEqual([130, expect.stringContaining('Nothing was stored')]);
    expect(() => readFileSync(join(home, 'weir/credentials.json'))).toThrow();
  });
});

it('forget asks before it deletes a user, no is the default, and without a terminal there is nobody to ask', async () => {
  const regulations = () => weir(['regulation', 'list', '--user', 'ada']);
  const refused = open(['forget', 'ada']);
  await refused.answer('Delete what destinations hold about user ada? It cannot be undone.', KEYS.enter);
  expect([await refused.end(), refused.text]).toEqual([1, expect.stringContaining('Nothing was changed')]);
  const piped = await runWeir(['forget', 'ada'], { cwd: folder, env });
  expect([piped.code, piped.err]).toEqual([2, expect.stringContaining('there is nobody to ask')]);
  expect(await regulations()).toEqual([]);

  const agreed = open(['forget', 'ada']);
  await agreed.answer('It cannot be undone.', 'y');
  expect(await agreed.end()).toBe(0);
  expect(await regulations()).toHaveLength(1);
});

describe('a project', () => {
  const shop = join(folder, 'shop');
  const here = { cwd: shop };

  it('begins with colours, which a pipe does not get', async () => {
    const init = open(['init', 'shop']);
    expect(await init.end()).toBe(0);
    expect(init.raw).toContain('\u001b[32m✓ shop is a project of Weir now');
    expect((await runWeir(['init', 'piped'], { cwd: folder, env })).out).not.toContain('\u001b[');
  });

  it('rolls back to the revision that is chosen with the keys', async () => {
    const file = join(shop, 'transformations/mask-e-mail.js');
    await weir(['publish'], shop);
    writeFileSync(file, `${readFileSync(file, 'utf8')}// second\n`);
    await weir(['publish'], shop);
    const revisions = await weir(['history', 'mask e-mail']);
    const earlier = revisions.find(({ isPublished }: { isPublished: boolean }) => !isPublished).versionId;
    const rollback = open(['rollback', 'mask e-mail']);
    await rollback.answer('Which revision?', KEYS.enter);
    expect([await rollback.end(), rollback.text]).toEqual([0, expect.stringContaining(`is live as ${earlier}`)]);
  });

  it('asks before it prunes, and no is the default', async () => {
    const sources = 'sources:\n  - { name: web, type: HTTP }\n  - { name: app, type: HTTP }\n';
    const yaml = readFileSync(join(shop, 'weir.yaml'), 'utf8');
    writeFileSync(join(shop, 'weir.yaml'), `${yaml}${sources}`);
    const applied = open(['apply'], here);
    expect([await applied.end(), applied.text]).toEqual([0, expect.stringContaining('◇  Applying')]);
    expect(applied.text).toContain('create source "app" (4 of 4)');
    expect(applied.text).not.toContain('… create source');
    writeFileSync(join(shop, 'weir.yaml'), yaml);

    const refused = open(['apply', '--prune'], here);
    await refused.answer('Delete 2 resources?', KEYS.enter);
    expect([await refused.end(), refused.text]).toEqual([1, expect.stringContaining('Nothing was changed')]);
    expect((await weir(['plan', '--prune'], shop)).steps).toHaveLength(2);

    const agreed = open(['apply', '--prune'], here);
    await agreed.answer('Delete 2 resources?', 'y');
    expect([await agreed.end(), agreed.text]).toEqual([0, expect.stringContaining('2 steps done')]);
    expect((await weir(['plan', '--prune'], shop)).steps).toEqual([]);
  });

  it('is watched by dev, which paints each run and ends with Ctrl-C', async () => {
    const file = join(shop, 'transformations/mask-e-mail.js');
    const dev = open(['dev', '--offline'], here);
    await until('the first run', () =>
      dev.text.includes('context.traits.email: "ada@example.com" → "***@example.com"'),
    );
    expect(dev.raw).toContain('\u001b[33m~ context.traits.email');
    writeFileSync(file, 'export const transformEvent = () => null;\n');
    await until('the run after a save', () => dev.text.includes('dropped'));
    await dev.answer('Watching. Press Ctrl-C to end.', KEYS.interrupt);
    expect(await dev.end()).toBe(0);
  });

  it('asks before it destroys, and Ctrl-C changes nothing', async () => {
    const left = open(['destroy'], here);
    await left.answer('Delete 2 resources?', KEYS.interrupt);
    expect(await left.end()).toBe(130);
    expect(await weir(['transformations', 'list'])).toHaveLength(1);

    const agreed = open(['destroy'], here);
    await agreed.answer('Delete 2 resources?', 'y');
    expect(await agreed.end()).toBe(0);
    expect(await weir(['transformations', 'list'])).toEqual([]);
  });
});
