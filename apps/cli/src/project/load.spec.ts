import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { readCode } from '../code/folder.js';
import { loadProject } from './load.js';
import { jsonSchema } from './schema.js';
import { ProjectError } from './yaml-file.js';

const { weir, folder: home } = useCommandLine();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-project-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The problems, without the folder. */
function problems(env = {}): string[] {
  try {
    loadProject(folder, { env });
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    return error.problems.map(
      ({ file, line, message }) => `${file.split(/weir-project-\w+\//).at(-1)}:${line}: ${message}`,
    );
  }
  return [];
}

const CREDENTIAL = 'version: 1\ncredentials:\n  - key: maps\n    value: ';

describe('a project', () => {
  it.each([
    ['', ['weir.yaml:1: the file is empty: write `version: 1` at least']],
    ['# soon\n', ['weir.yaml:1: the file is empty: write `version: 1` at least']],
    ['version: 1\n', []],
    ['version: 1\nx-shared: &on {color: red}\n', []],
  ])('says that it wants nothing: %j', (text, told) => {
    write({ 'weir.yaml': text });
    expect(problems()).toEqual(told);
  });

  it('is weir.yaml and a file for each resource in the folders', () => {
    write({
      'weir.yaml':
        'version: 1\nsources:\n  - name: one\n    type: HTTP\nconnections:\n  - source: one\n    destination: hook\n',
      'sources/two.yaml': 'name: two\ntype: Javascript\nprivacy:\n  samples: mask\n',
      'destinations/eu/hook.yaml':
        'name: hook\ntype: WEBHOOK\nconfig:\n  apiKey: "{{ env.KEY }}"\n  pem: "{{ file.key.pem }}"\n',
      'key.pem': 'a\nb\n',
      'transformations/mask.yaml': 'name: mask\nfile: ./mask.js\nevents: mask.json\n',
      'transformations/mask.js': 'code',
      'transformations/mask.json': '[{"type":"track"}]',
    });
    const desired = loadProject(folder, { env: { KEY: 'k' } });
    expect(desired.sources.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(desired.sources[1]?.privacy).toEqual({ samples: 'mask', maskedKeys: [] });
    expect(desired.destinations).toMatchObject([
      { config: { apiKey: 'k', pem: 'a\nb' }, secrets: { apiKey: 'env.KEY', pem: 'file.key.pem' } },
    ]);
    expect(desired.transformations).toEqual([
      { name: 'mask', description: '', code: 'code', events: [{ type: 'track' }] },
    ]);
    expect(desired.connections).toEqual([{ source: 'one', destination: 'hook', enabled: true }]);
  });

  it('needs its file', () => {
    expect(problems()).toEqual(['weir.yaml:1: there is no such file: run `weir init` or `weir export`']);
  });
});

describe('a problem names file, line and what to change', () => {
  it.each([
    ['version: 2', '1: version: must be 1. Change it'],
    ['sources:\n  - name: a\n    typ: HTTP', '2: sources.0.type: is missing: add it (string)'],
    [
      'sources:\n  - name: a\n    type: HTTP\n    enabled: "yes"',
      '4: sources.0.enabled: Invalid input: expected boolean, received string. Change it',
    ],
    [
      'sources:\n  - name: a\n    type: HTTP\n    color: red',
      '4: sources.0.color is not a setting: remove or rename it',
    ],
    [
      'sources:\n  - name: a\n    type: HTTP\n  - name: a\n    type: HTTP',
      '4: sources: "a" is also in weir.yaml: rename or remove one',
    ],
    [
      'version: 2\nx-shared: &on {enabled: true}\ndestinatons:\n  - name: a\n    type: HTTP',
      '3: destinatons is not a setting: remove or rename it',
    ],
    ['version: 2\nconfig: {}', '1: version: must be 1. Change it'],
    [
      'sources: [',
      '1: Flow sequence in block collection must be sufficiently indented and end with a ]. Correct the YAML',
    ],
    [`${CREDENTIAL}"clear text"`, '4: credential "maps" is a secret: write {{ env.NAME }} in place of its value'],
    [
      `${CREDENTIAL}"{{ env.NOT_SET }}"`,
      '4: {{ env.NOT_SET }}: set the variable NOT_SET in the environment, or in a file that --env-file names',
    ],
    [`${CREDENTIAL.replace('maps', '".."')}x`, '3: credentials.0.key: must not be one or two dots alone. Change it'],
    ['libraries:\n  - name: "a "\n    file: a.js', '2: libraries.0.name: must not begin or end with space. Change it'],
    [
      'libraries:\n  - name: a\n    file: a.js',
      '3: there is no file a.js beside weir.yaml: create it or correct the path',
    ],
  ])('%j', (text, expected) => {
    write({ 'weir.yaml': text });
    expect(
      problems().map((one) =>
        one.replace(/beside \S+weir.yaml/, 'beside weir.yaml').replace(/also in \S+weir.yaml/, 'also in weir.yaml'),
      ),
    ).toContain(`weir.yaml:${expected}`);
  });

  it('for all files at once', () => {
    write({ 'weir.yaml': 'version: 7', 'sources/a.yaml': 'name: a', 'sources/b.yaml': 'type: HTTP' });
    expect(problems()).toHaveLength(3);
  });

  it('but not for a secret that a destroy does not need', () => {
    write({ 'weir.yaml': `${CREDENTIAL}"{{ env.NOT_SET }}"` });
    expect(loadProject(folder, { env: {}, namesOnly: true }).credentials).toMatchObject([{ key: 'maps' }]);
  });
});

it('takes what `weir init` writes', async () => {
  expect((await weir('init begin')).code).toBe(0);
  const { transformations, libraries } = loadProject(join(home, 'begin'), { env: {} });
  expect([transformations.length, libraries.length]).toEqual([1, 1]);
});

it('takes code that no YAML names, as the commands for code do', () => {
  write({
    'weir.yaml': 'transformations:\n  - {name: a, file: transformations/a.js}',
    'transformations/a.js': '// a',
    'transformations/b.js': '// b',
    'transformations/b.events.json': '[{"type":"track"}]',
    'transformations/b.tests.json': '[{"name":"keeps","input":[{}],"expectedOutput":[{}]}]',
    'transformations/deep/c.js': '// parts of others stand deeper',
    'libraries/masks.js': '// m',
  });
  const { transformations, libraries } = loadProject(folder, { env: {} });
  const code = [...transformations, ...libraries].map(({ name, code: text }) => [name, text]);
  expect(code).toEqual(readCode(folder).map(({ name, code: text }) => [name, text]));
  expect(code.map(([name]) => name)).toEqual(['a', 'b', 'masks']);
  expect(transformations.map(({ events }) => events)).toEqual([undefined, [{ type: 'track' }]]);
  const tests = [{ name: 'keeps', input: [{}], expectedOutput: [{}] }];
  expect(transformations.map((one) => one.tests)).toEqual([undefined, tests]);
  expect(readCode(folder).map((one) => one.tests)).toEqual([undefined, tests, undefined]);
});

it.each([
  ['{}', 'expected array'],
  ['[', 'must hold a JSON list of tests'],
  ['[{"input":[{}],"expectedOutputs":[]}]', 'Unrecognized key: "expectedOutputs"'],
  ['[{"input":["no event"]}]', '0.input.0: must be an event'],
  [JSON.stringify(Array.from({ length: 51 }, () => ({ input: [] }))), 'must be at most 50 tests'],
  [JSON.stringify([{ input: [{ text: 'ä'.repeat(70_000) }] }]), 'in 131072 bytes'],
])('refuses tests that would not test: %s', (tests, problem) => {
  write({ 'weir.yaml': 'version: 1', 'transformations/a.js': '// a', 'transformations/a.tests.json': tests });
  expect(problems()).toEqual([expect.stringMatching(/^transformations\/a.tests.json:1: /)]);
  expect(problems()[0]).toContain(problem);
  expect(() => readCode(folder)).toThrow(problem);
});

it('knows where a write key comes from', () => {
  write({ 'weir.yaml': 'sources: [{ name: a, type: HTTP, writeKey: "{{ env.KEY }}" }]' });
  expect(loadProject(folder, { env: { KEY: 'k' } }).sources).toMatchObject([
    { writeKey: 'k', writeKeyFrom: 'env.KEY' },
  ]);
});

it('has a JSON Schema for editors', () => {
  expect(jsonSchema()).toMatchObject({
    properties: { sources: { items: { properties: { name: { type: 'string' } } } } },
    additionalProperties: false,
  });
});
