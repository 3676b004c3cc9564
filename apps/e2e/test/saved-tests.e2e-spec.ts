import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { useCommandLine } from './support/command-line.js';
import { made } from './support/workspace.js';

const shell = useCommandLine();

const KEEP = 'export const transformEvent = (event) => event;\n';
const MARK = 'export const transformEvent = (event) => ({ ...event, mark: 1 });\n';
const test = (...expectedOutput: object[]) => ({ name: 'a number', input: [{ n: 1 }], expectedOutput });
const KEEPS = test({ n: 1 });
const MARKS = test({ n: 1, mark: 1 });

function write(code: string, ...tests: object[]): void {
  shell.write('transformations/counted.js', code);
  shell.write('transformations/counted.tests.json', JSON.stringify(tests));
}
async function live() {
  const { admin } = shell.workspace;
  const { transformations } = made(await admin.get('/transformations'));
  return transformations.find(({ name }: { name: string }) => name === 'counted');
}
const pathOf = (id: string) => `/transformations/${id}/tests`;
const saved = async () => made(await shell.workspace.admin.get(pathOf((await live()).id))).tests;

it('apply makes nothing live whose tests fail, and saves the tests of what it makes live', async () => {
  shell.write('weir.yaml', 'version: 1\n');
  write(KEEP, MARKS);
  const refused = await shell.run(['apply', '--json']);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('the output is not the expected output');
  expect(await live()).toBeUndefined();

  write(KEEP, KEEPS);
  expect((await shell.run(['apply'])).code).toBe(0);
  expect([(await live()).code, await saved()]).toEqual([KEEP, [KEEPS]]);
  expect((await shell.run(['plan', '--check'])).code).toBe(0);
});

it('code and tests change together: test, publish and apply run the tests of the files in place of the saved ones', async () => {
  write(MARK, MARKS);
  const tested = await shell.run(['test', '--json']);
  expect([tested.code, tested.json.outcomes]).toMatchObject([0, [{ test: 'a number', isPassed: true }]]);
  expect(await saved()).toEqual([KEEPS]);
  expect((await shell.run(['publish'])).code).toBe(0);
  expect([(await live()).code, await saved()]).toEqual([MARK, [MARKS]]);

  write(KEEP, KEEPS);
  expect((await shell.run(['apply'])).code).toBe(0);
  expect([(await live()).code, await saved()]).toEqual([KEEP, [KEEPS]]);
});

it('tests that the console saved are drift, which apply sets back and an export keeps', async () => {
  const { id, versionId } = await live();
  const added = { id: 'from the console', input: [{ n: 2 }] };
  made(await shell.workspace.admin.put(pathOf(id), { tests: [KEEPS, added] }));
  const { steps } = (await shell.run(['plan', '--json'])).json;
  expect(steps).toMatchObject([
    { action: 'update', name: 'counted', changes: [{ path: 'tests.1', from: added }] },
    { action: 'publish' },
  ]);
  expect((await shell.run(['export', 'exported'])).code).toBe(0);
  const file = join(shell.folder, 'exported/transformations/counted.tests.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([KEEPS, added]);

  expect((await shell.run(['apply'])).code).toBe(0);
  expect([(await live()).versionId, await saved()]).toEqual([versionId, [KEEPS]]);
  write(KEEP, MARKS);
  expect((await shell.run(['apply'])).code).not.toBe(0);
  expect(await saved()).toEqual([KEEPS]);
});
