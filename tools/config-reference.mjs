// Writes deploy/CONFIG.md: every variable of every process, from the schemas that read them (`config.ts` of the apps and
// of the libraries that share settings). Types, defaults and limits come from the built schemas, descriptions from the comments above
// the variables. `--check` compares instead and fails when the page is out of date. Needs `npm run build`.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const PAGE = 'deploy/CONFIG.md';
const ENTRIES = [
  'gateway',
  'transformation-registry',
  'regulation-service',
  'test-runner',
  'delivery-service',
  'schema-service',
  'code-sandbox',
];
const KIT = 'libs/service-kit';
/** Libraries whose settings the apps take over. */
const SHARED = [KIT, 'libs/egress'];
// linear: reads only our own files, at build time.
const COMMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([A-Z][A-Z0-9_]+):/g;

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const load = (folder, file) => import(new URL(`${folder}/dist/${file}.js`, root));
const { z } = createRequire(new URL(`${KIT}/package.json`, root))('zod');

/** Maps each variable to its comment, on one line. */
function commentsOf(folder) {
  const found = read(`${folder}/src/config.ts`).matchAll(COMMENTED);
  return Object.fromEntries([...found].map(([, text, name]) => [name, oneLine(text)]));
}

/** A comment without its asterisks. */
const oneLine = (text) =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/^\*\s*/, ''))
    .join(' ')
    .trim();

function typeOf({ type, enum: values, minimum, maximum, minLength, description, anyOf, format }) {
  if (description) return description;
  if (anyOf) return typeOf(anyOf.find((one) => one.const === undefined) ?? {});
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'integer' || type === 'number') return rangeOf(type, minimum, maximum);
  if (minLength > 1) return `text, at least ${minLength} characters`;
  return format === 'uri' ? 'URL' : format === 'email' ? 'email address' : 'text';
}

function rangeOf(type, minimum, maximum) {
  const kind = type === 'integer' ? 'whole number' : 'number';
  const isBound = (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isBound(minimum) && isBound(maximum)) return `${kind}, ${minimum} to ${maximum}`;
  return isBound(minimum) ? `${kind}, at least ${minimum}` : kind;
}

/** A row per variable of a schema. The caller adds the processes that read it. */
function rowsOf(schema, comments) {
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => {
    const fallback = required.includes(name)
      ? '**required**'
      : property.default === undefined
        ? ''
        : `\`${property.default}\``;
    if (!comments[name]) throw new Error(`${name} has no comment that says what it means`);
    return { name, type: typeOf(property), fallback: fallback === '``' ? '' : fallback, text: comments[name] };
  });
}

/** The rows of services, migrations and traces. */
async function sections() {
  const sharedComments = Object.assign({}, ...SHARED.map(commentsOf));
  const { MigrateEnv, TracesEnv } = await load(KIT, 'config');
  const rows = new Map();
  const add = (process, schema, comments) => {
    for (const row of rowsOf(schema, comments)) {
      const known = rows.get(row.name) ?? { ...row, readers: [] };
      known.readers.push(process);
      if (known.fallback !== row.fallback) known.fallback += `; optional for ${process}`;
      rows.set(row.name, known);
    }
  };
  for (const app of ENTRIES) {
    const { ENVIRONMENTS } = await load(`apps/${app}`, 'config');
    const comments = { ...sharedComments, ...commentsOf(`apps/${app}`) };
    for (const [entry, schema] of Object.entries(ENVIRONMENTS)) add(`${app}.${entry}`, schema, comments);
  }
  const services = [...rows.values()];
  rows.clear();
  add('migrations', MigrateEnv, sharedComments);
  const migrations = [...rows.values()];
  rows.clear();
  add('traces', TracesEnv, sharedComments);
  return { services, migrations, traces: [...rows.values()] };
}

const cell = (text) => text.replaceAll('|', '\\|');
const table = (rows) =>
  ['| Variable | Value | Default | Meaning |', '| --- | --- | --- | --- |']
    .concat(
      rows.map(({ name, type, fallback, text }) => `| \`${name}\` | ${cell(type)} | ${fallback} | ${cell(text)} |`),
    )
    .join('\n');

const count = (rows) => Math.max(...rows.map(({ readers }) => readers.length));

function byReaders(rows) {
  const groups = new Map();
  const all = count(rows);
  for (const row of rows) {
    const readers = row.readers.length === all ? 'Every process' : row.readers.join(', ');
    groups.set(readers, [...(groups.get(readers) ?? []), row]);
  }
  return [...groups].sort(([, [a]], [, [b]]) => b.readers.length - a.readers.length);
}

/** Formats the page like the linter. */
function formatted(text) {
  const biome = fileURLToPath(new URL('node_modules/.bin/biome', root));
  const { stdout, stderr, status } = spawnSync(biome, ['format', `--stdin-file-path=${PAGE}`], {
    input: text,
    encoding: 'utf8',
    cwd: root,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const { services, migrations, traces } = await sections();
const page = formatted(`# Configuration

Made from the schemas of the configuration by \`npm run config-reference\`. A test compares them. Every process reads its
environment once, names every problem of it at once, and then does not start. No secret has a default, and a production
start (\`NODE_ENV=production\`) refuses secrets that are placeholders: well-known passwords, a password that is the user's
name, a key of one byte repeated. Variables of \`npm start\` alone are in \`.env.example\`.

${byReaders(services)
  .map(([readers, rows]) => `## ${readers}\n\n${table(rows)}`)
  .join('\n\n')}

## Traces, of every process

${table(traces)}

## Migrations (\`migrate.js\` of each app with a database)

${table(migrations)}
`);

if (!process.argv.includes('--check')) writeFileSync(new URL(PAGE, root), page);
else if (read(PAGE) !== page) {
  process.stderr.write(`${PAGE} is out of date: npm run config-reference\n`);
  process.exit(1);
}
