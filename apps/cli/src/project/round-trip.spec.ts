import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryWorkspace } from '../../test/memory-workspace.js';
import { environmentOf, type Sample, sample, workspaceOf } from '../../test/sample-workspace.js';
import { apply } from './apply.js';
import { diff } from './diff.js';
import { diffDestroy } from './diff-destroy.js';
import { exportProject } from './export.js';
import { loadProject } from './load.js';
import { planJson, planText } from './print.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The export of a workspace as files, loaded again. */
async function exported(workspace: MemoryWorkspace, from: Sample) {
  const actual = await workspace.read();
  const { files, variables, problems } = exportProject(actual, { writeKeys: true });
  expect(problems).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'weir-project-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const env = environmentOf(actual, from.credentials, variables);
  return { files, env, desired: loadProject(folder, { env }) };
}

describe('generated workspaces', () => {
  it('are the same (50 of them) after export, destroy, apply and export, and a second apply changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(sample, async (from) => {
        const workspace = await workspaceOf(from);
        const { files, desired } = await exported(workspace, from);
        expect(diff(desired, await workspace.read()).steps).toEqual([]);

        await apply(diffDestroy(desired, await workspace.read()), workspace);
        const empty = await workspace.read();
        expect({ ...empty, kinds: {} }).toEqual({
          ...{ sources: [], destinations: [], connections: [], transformations: [], libraries: [], credentials: [] },
          kinds: {},
        });

        await apply(diff(desired, empty), workspace);
        expect((await exported(workspace, from)).files).toEqual(files);
        expect(diff(desired, await workspace.read()).steps).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('end at the same state if an apply is killed anywhere and run again', async () => {
    await fc.assert(
      fc.asyncProperty(sample, sample, fc.nat({ max: 40 }), async (before, drawn, requests) => {
        // files without tests do not manage those of the workspace
        const tests = drawn.tests.map((saved) =>
          saved.length > 0 ? saved : [{ ...{ name: 'any', input: [] }, expectedOutput: [] }],
        );
        const after = { ...drawn, tests };
        const wanted = await workspaceOf(after);
        const { files, desired } = await exported(wanted, after);
        const workspace = await workspaceOf({ ...before, sources: [[], []], connections: [] });
        const run = async () => {
          const plan = diff(desired, await workspace.read(), { prune: true });
          if (plan.problems.length > 0) return false;
          await apply(plan, workspace);
          return true;
        };
        workspace.requestsLeft = requests;
        const isWhole = await run().catch(() => undefined);
        fc.pre(isWhole !== false);
        workspace.requestsLeft = Number.POSITIVE_INFINITY;
        await run();
        const left = workspace.changes;
        await run();
        expect(workspace.changes - left).toBe(0);
        expect((await exported(workspace, after)).files).toEqual(files);
      }),
      { numRuns: 25 },
    );
  });

  it('show no secret in a plan, in its JSON and in an export', async () => {
    const tell = 'never-to-be-seen';
    const secret = fc.integer().map((number) => `${tell}-${number}`);
    await fc.assert(
      fc.asyncProperty(sample, sample, secret, async (before, after, hidden) => {
        const [destinations, settings] = after.destinations;
        const from = {
          ...after,
          destinations: [destinations, settings.map((one) => ({ ...one, secret: hidden }))],
        } as Sample;
        from.credentials = { key: { value: hidden, isSecret: true } };
        const { files, desired } = await exported(await workspaceOf(from), from);
        expect(JSON.stringify(files)).not.toContain(tell);
        const plan = diff(desired, await (await workspaceOf(before)).read(), { prune: true, setSecrets: true });
        expect(planText(plan) + JSON.stringify(planJson(plan))).not.toContain(tell);
      }),
      { numRuns: 25 },
    );
  });
});

it('an export refuses names that its files could not tell apart', async () => {
  const workspace = new MemoryWorkspace({});
  const { id } = await workspace.createSource({ name: 'shop', type: 'HTTP', enabled: true, config: {} });
  const source = workspace.sources.get(id);
  if (source) workspace.sources.set('other', { ...source, id: 'other' });
  const hook = { id: 'd1', name: 'hook', type: 'WEBHOOK', enabled: true, config: {} };
  for (const one of ['d1', 'd2']) workspace.destinations.set(one, { ...hook, id: one });
  expect(exportProject(await workspace.read()).problems).toEqual([
    'sources: "shop" is there twice. Rename one of them first',
    'destinations: "hook" is there twice. Rename one of them first',
  ]);
});
