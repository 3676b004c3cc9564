// Writes the tables of kinds and of generic fields in libs/destinations/README.md from the source (npm run kinds-table). `--check`
// compares instead and fails when a table is out of date. Needs no build.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadKinds, loadSource } from './sources.mjs';

const LIBRARY = 'libs/destinations';
const PAGE = `${LIBRARY}/README.md`;
const KINDS = ['<!-- kinds: npm run kinds-table -->', '<!-- end of kinds -->'];
const FIELDS = ['<!-- generic fields: npm run kinds-table -->', '<!-- end of generic fields -->'];
const ALL_TYPES = 6;

function rowOf({ kind, file }) {
  const { name, displayName, config } = kind.definition;
  const types = config.supportedMessageTypes.cloud ?? [];
  return [
    `[\`${name}\`](src/kinds/${file}.ts)`,
    displayName,
    kind.takesNoEvents ? 'none' : types.length === ALL_TYPES ? 'all' : types.join(', '),
    sendingOf(kind),
    deletionOf(kind),
  ];
}

/** How live delivery sends payloads. */
function sendingOf({ open, batching, batch, example, takesNoEvents }) {
  if (takesNoEvents) return '';
  if (open) return `over a session, up to ${(batching?.payloadsMax ?? 1).toLocaleString('en')} at once`;
  const rule = batch?.(example);
  if (rule) return `up to ${rule.itemsMax.toLocaleString('en')} in a request`;
  return batch ? 'several in a request, if configured' : 'one by one';
}

function deletionOf({ deletion }) {
  if (!deletion) return 'no';
  const { identifiers, usersMax = 1, status } = deletion;
  const by = identifiers ? `by ${identifiers.map((key) => `\`${key}\``).join(', ')}` : 'by every identifier';
  return `${by}; ${usersMax === 1 ? 'one user' : `${usersMax.toLocaleString('en')} users`} per call${status ? '; asks for the outcome' : ''}`;
}

async function tableOfKinds() {
  const rows = (await loadKinds())
    .map(rowOf)
    .sort(([, one], [, other]) => one.localeCompare(other, 'en', { sensitivity: 'base' }));
  return table(['Type', 'Vendor', 'Events', 'Sends', 'Deletes users'], rows);
}

async function tableOfFields() {
  const { GENERIC_FIELDS } = await loadSource(LIBRARY, 'src/toolkit/generic-fields.ts');
  const rows = Object.entries(GENERIC_FIELDS).map(([key, { name, from, form }]) => [
    `\`${key}\``,
    name,
    shortened([from].flat()),
    form,
  ]);
  return table(['In the toolkit', 'Field', 'Looked up in this order', 'Sent'], rows);
}

/** `a.b, a.c` as `a.{b, c}`. */
function shortened(paths) {
  const groups = [];
  for (const path of paths) {
    const dot = path.lastIndexOf('.') + 1;
    const [base, end] = [path.slice(0, dot), path.slice(dot)];
    if (base !== '' && groups.at(-1)?.base === base) groups.at(-1).ends.push(end);
    else groups.push({ base, ends: [end] });
  }
  return groups.map(({ base, ends }) => base + (ends.length > 1 ? `{${ends.join(', ')}}` : ends[0])).join(', ');
}

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The text with a new table between two lines. */
function withTable(text, [first, last], made) {
  const [start, end] = [text.indexOf(first), text.indexOf(last)];
  if (start < 0 || end < start) throw new Error(`${PAGE} needs the lines ${first} and ${last}`);
  return `${text.slice(0, start)}${first}\n\n${made}\n\n${text.slice(end)}`;
}

async function page() {
  const withKinds = withTable(readFileSync(PAGE, 'utf8'), KINDS, await tableOfKinds());
  return formatted(withTable(withKinds, FIELDS, await tableOfFields()));
}

/** Formats the page like the linter. */
function formatted(text) {
  const run = spawnSync('node_modules/.bin/biome', ['format', `--stdin-file-path=${PAGE}`], {
    input: text,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

const made = await page();
if (!process.argv.includes('--check')) writeFileSync(PAGE, made);
else if (readFileSync(PAGE, 'utf8') !== made) {
  process.stderr.write(`A table of ${PAGE} is out of date: npm run kinds-table\n`);
  process.exit(1);
}
