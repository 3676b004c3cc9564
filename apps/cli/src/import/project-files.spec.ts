import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DEFINITIONS, SECRET } from '../../test/incumbent.js';
import { PROJECTS } from '../../test/incumbent-projects.js';
import { loaded } from '../../test/loaded-import.js';
import { filesOf } from '../project/files.js';
import { noCode } from './definitions.js';
import { Import } from './import.js';
import { importIncumbent } from './incumbent.js';
import { leaves } from './ledger.js';
import { readProjectFiles } from './project-files.js';
import { reportOf } from './report.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function imported(files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-incumbent-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const into = new Import(DEFINITIONS, noCode);
  const read = readProjectFiles(folder);
  await importIncumbent({ files: read }, into);
  const paths = read.documents.flatMap(({ content, title }) => leaves(content, [title]).map((path) => path.join('.')));
  return { into, entries: into.ledger.entries(), paths };
}
const what = async (name: string, key: string) =>
  (await imported(PROJECTS[name])).entries
    .filter(({ path }) => path.includes(key))
    .map((entry) => [entry.outcome, entry.what]);

describe.each(Object.entries(PROJECTS))('project files with %s', (_, files) => {
  it('have each value mapped or told, and become files that can be read', async () => {
    const { into, entries, paths } = await imported(files);
    expect(entries.map(({ path }) => path)).toEqual(paths);
    expect(entries.filter((entry) => entry.what.includes('does not know'))).toEqual([]);
    loaded(into, { A: 'a' });
    expect(JSON.stringify([filesOf(into.project), reportOf(into), entries])).not.toContain(SECRET);
  });
});

it('a kind that nobody has heard of is told value by value', async () => {
  const { entries, paths } = await imported({
    'new.yaml': 'version: rudder/v2\nkind: brand-new\nspec: { id: a, deep: { key: 1 } }',
  });
  expect(entries.map(({ path }) => path)).toEqual(paths);
  expect(entries.filter(({ outcome }) => outcome !== 'mapped').map(({ path }) => path)).toContain(
    'new.yaml.spec.deep.key',
  );
});

it('tests become the saved tests: one for each file of events, with the result of the same name', async () => {
  const { into } = await imported(PROJECTS['a transformation with tests, in a file']);
  const tests = [
    { name: 'purchases: one', input: [{ event: 'Bought' }], expectedOutput: [{ event: 'Bought' }] },
    { name: 'purchases: two', input: [{ event: 'Sold' }] },
  ];
  expect(loaded(into).transformations).toMatchObject([{ name: 'Mask', description: 'Hides', tests }]);
  expect(await what('a transformation with tests, in a file', 'tests.')).toEqual([
    ...Array.from({ length: 3 }, () => ['mapped', 'transformation "Mask": tests']),
    ...Array.from({ length: 3 }, () => ['lost', 'Its folder has no JSON files of events']),
    ...Array.from({ length: 3 }, () => ['lost', 'one.json holds no events']),
  ]);
});

it('tests beyond what Weir keeps are told', async () => {
  const files = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`in/${at}.json`, '[{}]']));
  const spec = `{ id: a, name: A, code: 'export const a = 1;', tests: [{ name: many, input: in }, { name: more, input: in }] }`;
  const { into, entries } = await imported({ ...files, 'a.yaml': `kind: transformation\nspec: ${spec}` });
  expect(loaded(into).transformations[0]?.tests).toBeUndefined();
  expect(entries.filter(({ path }) => path.includes('tests')).map((one) => one.what)).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining('at most 50')),
  );
});

it('templates in settings stay texts, and are told', async () => {
  const { into } = await imported(PROJECTS['templates in settings']);
  expect(await what('templates in settings', 'webhook_url')).toEqual([
    ['kept', expect.stringContaining('fill templates')],
  ]);
  expect(into.losses.map((loss) => loss.what)).toEqual(['destination "hook": config.webhookUrl holds a template']);
  const config = { webhookUrl: "https://a.example/{{ event.path || 'b' }}", own: '{{ env.A }}' };
  expect(loaded(into, { A: 'taken' }).destinations[0]?.config).toEqual(config);
});

it('values by platform become that of the connected source, and the others are told', async () => {
  const { into } = await imported(PROJECTS['values by platform']);
  expect(loaded(into).destinations[0]?.config).toEqual({ connectionMode: 'cloud', measurementId: 'G-1' });
  expect(await what('values by platform', 'connection_mode')).toEqual([
    ['lost', expect.stringContaining('config.connectionMode is that of android')],
    ['mapped', 'destination "ga": config.connectionMode'],
  ]);
});

it('secrets in clear become variables, and those of the project stay what they are', async () => {
  const { into } = await imported(PROJECTS['secrets in clear and as variables']);
  const headers = [
    { from: 'a', to: '{{ env.HOOK_HEADERS_0_TO }}' },
    { from: 'b', to: 'Bearer {{ env.TOKEN }}' },
  ];
  expect(into.project.destinations[0]?.config).toMatchObject({ headers });
  expect(into.env).toEqual({ TOKEN: 't', HOOK_HEADERS_0_TO: SECRET });
  expect(loaded(into).destinations[0]?.config).toMatchObject({ headers: [{ to: SECRET }, { to: 'Bearer t' }] });
});

it('variables in code have their values, and one without a value is told', async () => {
  const { into } = await imported(PROJECTS['variables in code']);
  expect(into.project.transformations[0]?.code).toContain('const K = ["k1", "{{ .NOWHERE }}"];');
  expect(await what('variables in code', 'spec.code')).toEqual([['kept', expect.stringContaining('without NOWHERE')]]);
  expect(into.losses.map((loss) => loss.what)).toEqual(['transformation "Mask": the variable NOWHERE in its code']);
});

it('older references find their resources', async () => {
  const { into } = await imported(PROJECTS['references of the older form']);
  expect(loaded(into)).toMatchObject({
    destinations: [{ name: 'hook', transformation: 'Mask', enabled: true }],
    connections: [{ source: 'shop', destination: 'hook', enabled: false }],
  });
});

it('says why a kind is not written', async () => {
  expect(await what('a tracking plan', 'spec.rules')).toContainEqual([
    'lost',
    expect.stringContaining('no tracking plan'),
  ]);
  expect(await what('a source under governance', 'governance')).toContainEqual([
    'lost',
    'Weir enforces no tracking plan',
  ]);
  expect(await what('code in Python, and code that is nowhere', 'language')).toContainEqual([
    'lost',
    'Weir runs JavaScript only',
  ]);
});

it('a variable with several values is told, without them', async () => {
  const files = { 'prod.vars.yaml': 'HOST: one-value\nPORT: 80', 'staging.vars.yaml': 'HOST: other-value\nPORT: 80' };
  const { into } = await imported(files);
  expect(into.losses).toEqual([{ what: 'variable "HOST"', events: expect.stringContaining('differ in its value') }]);
  expect(reportOf(into)).not.toMatch(/one-value|other-value/);
});

it('files whose names differ in a dot are told apart', async () => {
  const text = (key: string) => `kind: brand-new\nspec: { ${key}: 1 }`;
  const { entries, paths } = await imported({ 'a.b.yaml': text('one'), 'a_b.yaml': text('two') });
  expect(entries.map(({ path }) => path)).toEqual(paths);
  expect(paths).toEqual(expect.arrayContaining(['a.b.yaml.spec.one', 'a_b.yaml.spec.two']));
});
