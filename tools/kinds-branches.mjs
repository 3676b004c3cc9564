// Measures how many branches of each kind the unit tests of the destinations reach, and writes the last column of the table in
// libs/destinations/VERIFICATION.md (npm run kinds-branches). Fails if a kind of the table reaches too few. It takes some minutes, so
// only the nightly workflow runs it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKinds } from './sources.mjs';

const PAGE = 'libs/destinations/VERIFICATION.md';
const TABLE = ['<!-- branches: npm run kinds-branches -->', '<!-- end of branches -->'];
const SOURCE = 'libs/destinations/src';
/** Percent of the branches of each kind that its tests must reach: most ways through a transform are a rule of the vendor. */
const LEAST = 95;
/** The specs of each kind, and those that all kinds share for sending and deleting. */
const SPECS = ['kinds', 'session', 'deletion', 'delivery'].map((folder) => `${SOURCE}/${folder}`);

/** Branches that were reached and all branches, by folder of a kind. */
function measured() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-branches-'));
  try {
    const coverage = ['--coverage', '--coverageReporters', 'json-summary', '--coverageDirectory', folder];
    const from = ['--collectCoverageFrom', `${SOURCE}/kinds/*/!(*.spec).ts`];
    const args = ['run', '-s', 'jest', '--', '--selectProjects', 'unit', ...coverage, ...from, '--', ...SPECS];
    const run = spawnSync('npm', args, { stdio: 'inherit' });
    if (run.status !== 0) throw new Error('the tests fail');
    return byFolder(JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function byFolder(summary) {
  const folders = new Map();
  for (const [file, { branches }] of Object.entries(summary)) {
    const [, folder] = /\/src\/kinds\/([^/]+)\//.exec(file) ?? [];
    const { covered, total } = folders.get(folder) ?? { covered: 0, total: 0 };
    folders.set(folder, { covered: covered + branches.covered, total: total + branches.total });
  }
  return folders;
}

/** One decimal, cut and not rounded, so that 100 % means all. */
const percentOf = ({ covered, total }) => (total === 0 ? 100 : Math.floor((1_000 * covered) / total) / 10);

/** The page with the figures, and the kinds that reach too few branches. */
async function page() {
  const folders = measured();
  const folderOf = new Map((await loadKinds()).map(({ kind, file }) => [kind.definition.name, file.split('/')[0]]));
  const text = readFileSync(PAGE, 'utf8');
  const [start, end] = TABLE.map((line) => text.indexOf(line));
  if (start < 0 || end < start) throw new Error(`${PAGE} needs the lines ${TABLE.join(' and ')}`);
  const short = [];
  const rows = text.slice(start, end).replace(/^(\| `(\w+)` .*\| )[^|]*\|$/gm, (_, rest, name) => {
    const found = folders.get(folderOf.get(name));
    if (!found) throw new Error(`nothing was measured for ${name}`);
    const reached = percentOf(found);
    if (reached < LEAST) short.push(`${name} ${reached} %`);
    return `${rest}${reached} % of ${found.total} |`;
  });
  return { content: text.slice(0, start) + rows + text.slice(end), short };
}

const { content, short } = await page();
writeFileSync(PAGE, content);
spawnSync('node_modules/.bin/biome', ['format', '--write', PAGE], { stdio: 'inherit' });
if (short.length > 0) {
  console.error(`tests reach less than ${LEAST} % of the branches of ${short.join(', ')}`);
  process.exitCode = 1;
}
