import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const ROOT = new URL('..', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
const projects = read('package.json').workspaces.flatMap((folder) => globSync(folder, { cwd: ROOT }));

it.each(projects)('nx can build, check and test %s alone', (project) => {
  const targets = Object.keys(read(`${project}/package.json`).nx.targets);

  expect(targets).toEqual(expect.arrayContaining(['build', 'typecheck', 'lint', 'test']));
});
