import { beforeEach, expect, it } from '@jest/globals';
import { MemoryWorkspace } from '../../test/memory-workspace.js';
import { apply } from './apply.js';
import { diff } from './diff.js';
import { diffDestroy } from './diff-destroy.js';
import type { Desired } from './resources.js';

const source = (name: string) => ({
  ...{ name, type: 'HTTP', enabled: true, transient: false, geoEnrichment: false, partitions: 1, config: {} },
  secrets: {},
});
const destination = (name: string, transformation?: string) => ({
  ...{ name, type: 'WEBHOOK', enabled: true, config: {}, secrets: {}, transformation },
  placeOf: () => ({ file: 'weir.yaml', line: 1 }),
});
const files = (fields: Partial<Desired> = {}): Desired => ({
  sources: [source('shop')],
  destinations: [destination('hook', 'mask')],
  connections: [{ source: 'shop', destination: 'hook', enabled: true }],
  transformations: [{ name: 'mask', description: '', code: '// mask' }],
  libraries: [],
  credentials: [],
  ...fields,
});

let workspace: MemoryWorkspace;
beforeEach(async () => {
  workspace = new MemoryWorkspace({});
  await apply(diff(files(), await workspace.read()), workspace);
});
const destroyed = async () => diffDestroy(files(), await workspace.read());

it('a destroy deletes what the files name, and leaves the rest alone', async () => {
  await workspace.createSource({ ...source('other') });
  const plan = await destroyed();
  expect(plan.problems).toEqual([]);
  expect(plan.steps.map(({ action, kind, name }) => `${action} ${kind} ${name}`)).toEqual([
    'delete connection shop → hook',
    'delete source shop',
    'delete destination hook',
    'delete transformation mask',
  ]);
});

it('a destroy refuses a name that several resources have', async () => {
  const [first] = workspace.sources.values();
  if (first) workspace.sources.set('made in the console', { ...first, id: 'made in the console' });
  expect((await destroyed()).problems).toEqual([
    'The workspace has 2 of source "shop": rename or delete all but one there',
  ]);
});

it('a destroy refuses to take a transformation from a destination that the files do not name', async () => {
  const { id } = await workspace.createDestination({ name: 'crm', type: 'WEBHOOK', enabled: true, config: {} });
  const [mask] = workspace.code.transformation.keys();
  await workspace.link(id, String(mask));
  expect((await destroyed()).problems).toEqual([
    'transformation "mask" also stands before destination "crm", which the files do not name. ' +
      'Unlink it there, or add the destination to the files',
  ]);
});
