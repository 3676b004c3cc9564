import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { isInside } from './inside.js';

const { folder } = useCommandLine();
const project = join(folder, 'project');
beforeAll(() => {
  mkdirSync(join(project, 'code'), { recursive: true });
  const links = { up: folder, own: 'code', nowhere: join(folder, 'not-there'), loop: 'loop' };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(project, name));
});

it.each([
  ['.', true],
  ['code/not/there', true],
  ['own/a.js', true],
  ['..', false],
  ['up/a.js', false],
  ['nowhere', false],
  ['nowhere/a.js', false],
  ['loop/a.js', false],
])('%s is inside: %s', (path, is) => {
  expect(isInside(project, join(project, path))).toBe(is);
});
