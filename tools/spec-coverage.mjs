// Checks apps/e2e/SPEC_COVERAGE.md: every row names an existing test, or says `open: <what is missing>`. The form of a row:
//   | section | rule | test file > test name (or a part of it) |
import { globSync, readFileSync } from 'node:fs';

const TABLE = 'apps/e2e/SPEC_COVERAGE.md';
const problems = [];
/** Test files by name. Two projects may each have one with the same name. */
const files = new Map();
for (const path of globSync('{apps,libs,packages}/**/*.{spec,int-spec,e2e-spec,soak-spec,cases}.ts', {
  exclude: ['**/node_modules/**', '**/dist/**'],
})) {
  const name = path.split('/').at(-1);
  files.set(name, `${files.get(name) ?? ''}\n${readFileSync(path, 'utf8')}`);
}

const rows = readFileSync(TABLE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|\s*(-|Section)/.test(line))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );

for (const [section, rule, tests = ''] of rows) {
  if (/^open: \S/.test(tests)) continue;
  if (tests === '') problems.push(`${section} "${rule}" names no test`);
  for (const reference of tests
    .split('<br>')
    .map((one) => one.trim().replaceAll('`', ''))
    .filter(Boolean)) {
    const [file, ...name] = reference.split(' > ');
    const source = files.get(file);
    const title = name.at(-1);
    if (source === undefined) problems.push(`${section} "${rule}": no test file ${file}`);
    else if (!title || !source.includes(title))
      problems.push(`${section} "${rule}": ${file} has no test "${title ?? ''}"`);
  }
}

const open = rows.filter(([, , tests]) => tests?.startsWith('open:')).length;
for (const problem of problems) process.stderr.write(`${TABLE}: ${problem}\n`);
process.stdout.write(`${rows.length} rules, ${rows.length - open} shown by tests, ${open} open\n`);
process.exitCode = problems.length > 0 || rows.length === 0 ? 1 : 0;
