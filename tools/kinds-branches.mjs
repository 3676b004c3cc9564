// Measures how many branches of each kind the unit tests of the destinations reach, and writes the last column of the table in
// libs/destinations/VERIFICATION.md (npm run kinds-branches). It takes some minutes, so no check runs it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKinds } from './sources.mjs';

const PAGE = 'libs/destinations/VERIFICATION.md';
const TABLE = ['<!-- branches: npm run kinds-branches -->', '<!-- end of branches -->'];
const SOURCE = 'libs/destinations/src';
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
    const [, folder] = /\/kinds\/([^/]+)\//.exec(file) ?? [];
    const { covered, total } = folders.get(folder) ?? { covered: 0, total: 0 };
    folders.set(folder, { covered: covered + branches.covered, total: total + branches.total });
  }
  return folders;
}

/** One decimal, cut and not rounded, so that 100 % means all. */
const percent = ({ covered, total }) =>
  `${total === 0 ? 100 : Math.floor((1_000 * covered) / total) / 10} % of ${total}`;

async function page() {
  const folders = measured();
  const folderOf = new Map((await loadKinds()).map(({ kind, file }) => [kind.definition.name, file.split('/')[0]]));
  const text = readFileSync(PAGE, 'utf8');
  const [start, end] = TABLE.map((line) => text.indexOf(line));
  if (start < 0 || end < start) throw new Error(`${PAGE} needs the lines ${TABLE.join(' and ')}`);
  const rows = text.slice(start, end).replace(/^(\| `(\w+)` .*\| )[^|]*\|$/gm, (row, rest, name) => {
    const found = folders.get(folderOf.get(name));
    return found ? `${rest}${percent(found)} |` : row;
  });
  return text.slice(0, start) + rows + text.slice(end);
}

writeFileSync(PAGE, await page());
spawnSync('node_modules/.bin/biome', ['format', '--write', PAGE], { stdio: 'inherit' });
