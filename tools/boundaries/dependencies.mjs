// Fails if a project imports a package that it does not declare, or declares one that it does not import (npm run check:dependencies).
import { readFileSync } from 'node:fs';
import { undeclared, unused } from './find-dependencies.mjs';
import { projects } from './projects.mjs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const all = projects();
// Tests need not declare the test library, the local servers and the local stack: it would close cycles, because these are made of what they test.
const forTests = [
  ...Object.keys(read('package.json').devDependencies),
  ...all.filter(({ type }) => ['testing', 'servers', 'stack'].includes(type)).map(({ manifest }) => manifest.name),
];
const problems = all.flatMap((project) => [
  ...undeclared(project, forTests).map((name) => `${project.path} imports ${name} without declaring it`),
  ...unused(project).map((name) => `${project.path} declares ${name} without importing it`),
]);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${all.length} projects declare what they import\n`);
process.exit(problems.length > 0 ? 1 : 0);
