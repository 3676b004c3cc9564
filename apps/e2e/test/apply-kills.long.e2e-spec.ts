import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { PROGRAM, runWeir } from './support/command-line.js';
import { type CuttingProxy, cuttingProxy, FATES, type Fate } from './support/cutting-proxy.js';
import { changedKinds, everyKind } from './support/every-kind.js';
import { writeFiles } from './support/files.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

/** Number of cases that run at the same time, each in its own workspace. */
const AT_ONCE = 4;
/** Two runs, a plan and a workspace for each case. */
const TIMEOUT_MS = 600_000;

const home = mkdtempSync(join(tmpdir(), 'weir-kills-'));
afterAll(() => rmSync(home, { recursive: true }));
const [first, later] = [join(home, 'first'), join(home, 'later')];
beforeAll(() => {
  writeFiles(first, everyKind);
  writeFiles(later, changedKinds);
});

/** One apply of a workspace through a proxy of its own. */
interface Scene {
  own: Workspace;
  proxy: CuttingProxy;
  env: NodeJS.ProcessEnv;
}

async function sceneOf(isNew: boolean): Promise<Scene> {
  const [own, proxy] = [await newWorkspace(), await cuttingProxy(sharedStack().urls[0] ?? '')];
  const env = { PATH: process.env['PATH'], HOME: home, SECRET: 'hush', WEIR_TOKEN: own.tokens.admin };
  const scene = { own, proxy, env: { ...env, WEIR_URL: proxy.url } };
  if (!isNew) await weir(scene, ['apply'], first);
  return scene;
}

/** Runs a command that has to succeed. */
async function weir({ env }: Scene, args: string[], cwd: string): Promise<void> {
  const ran = await runWeir(args, { cwd, env });
  if (ran.code !== 0) throw new Error(`weir ${args.join(' ')} ended with ${ran.code}: ${ran.err}${ran.out}`);
}

/** Kills an apply at one of its requests and runs it again. */
async function killAndRepeat(project: string, at: number, fate: Fate): Promise<void> {
  const scene = await sceneOf(project === first);
  const { proxy, env } = scene;
  let child: ChildProcess | undefined;
  proxy.cut(() => child, at, fate);
  child = spawn(process.execPath, [PROGRAM, 'apply'], { cwd: project, env, stdio: 'ignore' });
  const [, signal] = await once(child, 'exit');
  expect([at, fate, signal]).toEqual([at, fate, 'SIGKILL']);
  if (fate === 'done') await proxy.settled();

  await weir(scene, ['apply'], project);
  await proxy.settled();
  await weir(scene, ['plan', '--check', '--prune'], project);
  expect([at, fate, await countsOf(scene)]).toEqual([at, fate, [2, 2, 2, 2, 2, 2]]);
  await proxy.close();
}

/** Objects of each kind, with drafts. */
async function countsOf({ own: { admin } }: Scene): Promise<number[]> {
  const lists = ['/transformations?status=all', '/libraries?status=all', '/v2/sources', '/v2/destinations'];
  const answers = await Promise.all([...lists, '/v2/connections', '/v2/credentials'].map((path) => admin.get(path)));
  return answers.map(({ body }) => Object.values(body).find(Array.isArray)?.length ?? 0);
}

/** Every request of a whole apply, with the worst fate that it may meet, or with each: WEIR_TEST_FULL=1. */
async function casesOf(project: string): Promise<[at: number, fate: Fate][]> {
  const scene = await sceneOf(project === first);
  scene.proxy.cut(() => undefined, Number.POSITIVE_INFINITY, 'lost');
  await weir(scene, ['apply'], project);
  const { methods } = scene.proxy;
  await scene.proxy.close();
  const fates: readonly Fate[] = process.env['WEIR_TEST_FULL'] ? FATES : ['late'];
  return methods.flatMap((method, at): [number, Fate][] =>
    method === 'GET' ? [[at, 'lost']] : fates.map((fate) => [at, fate]),
  );
}

describe('an apply that is killed within any of its requests and run again', () => {
  it.each([
    ['makes', first],
    ['changes', later],
  ])(
    '%s each resource once, and ends as the files say',
    async (_, project) => {
      const cases = await casesOf(project);
      // the reads of a plan, and a change of each kind
      expect(cases.length).toBeGreaterThan(15);
      const next = cases.values();
      const work = async () => {
        for (const [at, fate] of next) await killAndRepeat(project, at, fate);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
    TIMEOUT_MS,
  );
});
