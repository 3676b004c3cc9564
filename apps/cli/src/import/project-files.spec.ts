import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DEFINITIONS } from '../../test/incumbent.js';
import { PROJECTS } from '../../test/incumbent-projects.js';
import { loaded } from '../../test/loaded-import.js';
import { noCode } from './definitions.js';
import { Import } from './import.js';
import { leaves } from './ledger.js';
import { readProjectFiles } from './project-files.js';
import { importProject } from './project-resources.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function imported(files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-incumbent-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const into = new Import(DEFINITIONS, noCode);
  const read = readProjectFiles(folder);
  importProject(read, into);
  const paths = read.documents.flatMap(({ content, title }) => leaves(content, [title]).map((path) => path.join('.')));
  return { into, entries: into.ledger.entries(), paths };
}
const what = (name: string, key: string) =>
  imported(PROJECTS[name])
    .entries.filter(({ path }) => path.includes(key))
    .map((entry) => [entry.outcome, entry.what]);

describe.each(Object.entries(PROJECTS))('project files with %s', (_, files) => {
  it('have each value mapped or told, and become files that can be read', () => {
    const { into, entries, paths } = imported(files);
    expect(entries.map(({ path }) => path)).toEqual(paths);
    expect(entries.filter((entry) => entry.what.includes('does not know'))).toEqual([]);
    loaded(into);
  });
});

it('a kind that nobody has heard of is told value by value', () => {
  const { entries, paths } = imported({
    'new.yaml': 'version: rudder/v2\nkind: brand-new\nspec: { id: a, deep: { key: 1 } }',
  });
  expect(entries.map(({ path }) => path)).toEqual(paths);
  expect(entries.filter(({ outcome }) => outcome !== 'mapped').map(({ path }) => path)).toContain(
    'new_yaml.spec.deep.key',
  );
});

it('tests become the saved tests: one for each file of events, with the result of the same name', () => {
  const { into } = imported(PROJECTS['a transformation with tests, in a file']);
  const tests = [
    { name: 'purchases: one', input: [{ event: 'Bought' }], expectedOutput: [{ event: 'Bought' }] },
    { name: 'purchases: two', input: [{ event: 'Sold' }] },
  ];
  expect(loaded(into).transformations).toMatchObject([{ name: 'Mask', description: 'Hides', tests }]);
  expect(what('a transformation with tests, in a file', 'tests.')).toEqual([
    ...Array.from({ length: 3 }, () => ['mapped', 'transformation "Mask": tests']),
    ...Array.from({ length: 3 }, () => ['lost', 'Its folder has no JSON files of events']),
    ...Array.from({ length: 3 }, () => ['lost', 'one.json holds no events']),
  ]);
});

it('tests beyond what Weir keeps are told', () => {
  const files = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`in/${at}.json`, '[{}]']));
  const spec = `{ id: a, name: A, code: 'export const a = 1;', tests: [{ name: many, input: in }, { name: more, input: in }] }`;
  const { into, entries } = imported({ ...files, 'a.yaml': `kind: transformation\nspec: ${spec}` });
  expect(loaded(into).transformations[0]?.tests).toBeUndefined();
  expect(entries.filter(({ path }) => path.includes('tests')).map((one) => one.what)).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining('at most 50')),
  );
});

it('older references find their resources', () => {
  const { into } = imported(PROJECTS['references of the older form']);
  expect(loaded(into)).toMatchObject({
    destinations: [{ name: 'hook', transformation: 'Mask', enabled: true }],
    connections: [{ source: 'shop', destination: 'hook', enabled: false }],
  });
});

it('says why a kind is not written', () => {
  expect(what('a tracking plan', 'spec.rules')).toContainEqual(['lost', expect.stringContaining('no tracking plan')]);
  expect(what('a source under governance', 'governance')).toContainEqual(['lost', 'Weir enforces no tracking plan']);
  expect(what('code in Python, and code that is nowhere', 'language')).toContainEqual([
    'lost',
    'Weir runs JavaScript only',
  ]);
});
