import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../core/errors.js';
import { jsonOf } from '../core/json-file.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { codeOfApi, definitionsOf, noCode } from '../import/definitions.js';
import { envFileOf } from '../import/env-file.js';
import { type CodeSource, Import } from '../import/import.js';
import { importIncumbent } from '../import/incumbent.js';
import { addMirrors } from '../import/mirror.js';
import { readProjectFiles } from '../import/project-files.js';
import { reportOf, summaryOf } from '../import/report.js';
import { importSegment } from '../import/segment/segment.js';
import { filesOf } from '../project/files.js';

interface ImportOptions {
  apiUrl?: string;
  tokenFromEnv?: string;
  project?: string;
  mirror?: string;
  out: string;
}

/** Name of the report, which is there for people and for programs. */
const REPORT = 'import-report';
/** Only its owner may read what holds secrets. */
const OWNER_ONLY = 0o600;

export const importCommands: CommandGroup = (program, cli) => {
  const importing = program
    .command('import')
    .summary('move in from another system')
    .description('Writes files of Weir from those of another system.');
  importing
    .command('rudderstack [file]')
    .summary('from a workspace export, or project files')
    .description('Reads a workspace export and writes weir.yaml, secrets.env, and a report of what every value became.')
    .option('--api-url <url>', 'API that has the code which the export only names')
    .option('--token-from-env <name>', 'variable that holds the token of this API')
    .option('--project <folder>', 'project files of its command line')
    .option('--mirror <url>', 'its data plane, which gets a copy of every event and keeps delivering')
    .option('--out <folder>', 'folder to write', 'weir-import')
    .addHelpText(
      'after',
      examples('weir import rudderstack workspaceConfig.json', 'weir import rudderstack --project ./project'),
    )
    .action(cli.action(importRudderstack));
  importing
    .command('segment <files...>')
    .summary('from answers of the Public API')
    .description(
      'Reads answers of `GET /sources`, `/destinations`, `/functions` and `/insert-function-instances` (one for each insert function), and writes what `import rudderstack` writes.',
    )
    .option('--out <folder>', 'folder to write', 'weir-import')
    .addHelpText(
      'after',
      examples('weir import segment sources.json destinations.json functions-*.json instances-*.json --out shop'),
    )
    .action(cli.action(segment));
};

async function segment(run: Run<ImportOptions>): Promise<void> {
  const into = new Import(await definitionsOf(run.client()), noCode);
  importSegment(Object.fromEntries(run.rest.map((file) => [file, answerOf(file, run.io.cwd)])), into);
  write(run, into);
}

/** A refusal says nothing about the workspace. Without it, destinations would be written as if no code stood before them. */
function answerOf(file: string, cwd: string): unknown {
  const json = jsonOf(resolve(cwd, file));
  const refusal = [json]
    .flat()
    .map((answer) => Reflect.get(Object(answer), 'errors'))
    .find(Boolean);
  if (refusal === undefined) return json;
  throw new CliError(
    `${file} holds a refusal of Segment: ${JSON.stringify(refusal)}`,
    'Ask again, and save the answer.',
  );
}

async function importRudderstack(run: Run<ImportOptions>): Promise<void> {
  const { io, out, args, options } = run;
  if (args[0] === undefined && options.project === undefined)
    throw new CliError('There is nothing to import', 'Name a workspace export, or a folder with --project.');
  const code = codeSource(run);
  const definitions = await definitionsOf(run.client());
  const workspace = args[0] === undefined ? undefined : exportOf(args[0], io.cwd);
  const into = await out.during('Importing', async ({ detail }) => {
    const made = new Import(definitions, counted(code, detail));
    const files = options.project === undefined ? undefined : readProjectFiles(resolve(io.cwd, options.project));
    await importIncumbent({ workspace, files }, made);
    if (options.mirror !== undefined) addMirrors(options.mirror, made);
    return made;
  });
  write(run, into);
}

/** A file without sources is another one, such as a backup of one destination. */
function exportOf(file: string, cwd: string): unknown {
  const json = jsonOf(resolve(cwd, file));
  const keys = Object.keys(Object(json)).map((key) => key.toLowerCase());
  if (!Array.isArray(json) && keys.includes('sources')) return json;
  throw new CliError(
    `${file} is no workspace export: it has no \`sources\``,
    'Export the workspace, and name that file.',
  );
}

/** Writes the files and the report, and tells what became of the values. */
function write({ io, out, options }: Run<ImportOptions>, into: Import): void {
  const folder = resolve(io.cwd, options.out);
  const entries = into.ledger.entries();
  const files: Record<string, string> = {
    ...filesOf(into.project),
    '.gitignore': 'secrets.env\n',
    [`${REPORT}.md`]: reportOf(into),
    [`${REPORT}.json`]: `${JSON.stringify(entries, null, 2)}\n`,
    'secrets.env': envFileOf(into.env),
  };
  const inTheWay = Object.keys(files).filter((file) => existsSync(join(folder, file)));
  if (inTheWay.length > 0)
    throw new CliError(`${options.out} already has ${inTheWay.join(', ')}`, 'Name a new folder with --out.');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, file === 'secrets.env' ? { mode: OWNER_ONLY } : {});
  }
  const summary = summaryOf(entries);
  out.result({ folder, ...summary, losses: into.losses }, ({ green }) =>
    [
      green(
        `✓ ${summary.values} values: ${summary.mapped} mapped, ${summary.kept} kept without effect, ${summary.lost} not mapped`,
      ),
      ...into.losses.map(({ what, events }) => `  ${what}: ${events}`),
      `Read ${join(options.out, `${REPORT}.md`)}, then: weir plan --dir ${options.out} --env-file ${options.out}/secrets.env`,
    ].join('\n'),
  );
}

/** Tells how much code is read, because each takes a request. */
function counted(source: CodeSource, tell: (text: string) => void): CodeSource {
  let read = 0;
  const count = <Found>(code: Found): Found => {
    if (code === undefined) return code;
    read += 1;
    tell(`${read} ${read === 1 ? 'revision' : 'revisions'} of code`);
    return code;
  };
  return {
    transformation: async (...revision) => count(await source.transformation(...revision)),
    library: async (versionId) => count(await source.library(versionId)),
  };
}

function codeSource({ io, send, options: { apiUrl, tokenFromEnv } }: Run<ImportOptions>) {
  if (apiUrl === undefined) return noCode;
  const token = tokenFromEnv === undefined ? undefined : io.env[tokenFromEnv];
  if (!token)
    throw new CliError('--api-url needs a token', 'Put it into a variable, and name that with --token-from-env.');
  return codeOfApi(apiUrl, token, send);
}
