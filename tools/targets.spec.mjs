import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const ROOT = new URL('..', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
const projects = read('package.json').workspaces.flatMap((folder) => globSync(folder, { cwd: ROOT }));

it.each(projects)('nx can build, check and test %s alone', (project) => {
  const targets = Object.keys(read(`${project}/package.json`).nx.targets);

  expect(targets).toEqual(expect.arrayContaining(['build', 'typecheck', 'lint', 'test']));
});

/** Apps whose processes the tests of a project start. */
const startedBy = (project) => {
  const texts = globSync(`${project}/test/**/*.ts`, { cwd: ROOT }).map((path) =>
    readFileSync(new URL(path, ROOT), 'utf8'),
  );
  return new Set(texts.flatMap((text) => [...text.matchAll(/startProcess\('([a-z-]+)\./g)].map(([, app]) => app)));
};

it('nx builds the other apps that tests start, also in a clean clone', () => {
  for (const project of projects) {
    const { dependsOn = [] } = read(`${project}/package.json`).nx.targets.test;
    const others = [...startedBy(project)].filter((app) => `apps/${app}` !== project);
    const built = dependsOn.filter(({ target }) => target === 'build').map((one) => one.projects);
    expect([project, built]).toEqual([project, expect.arrayContaining(others.map((app) => `@weir/${app}`))]);
  }
  expect(startedBy('apps/transformation-registry')).toContain('code-sandbox');
});
