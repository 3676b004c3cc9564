import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Schema, unwrap, WeirError } from '@weir/client';
import { type Command, Option } from 'commander';
import { type CodeFile, readCode, selected } from '../code/folder.js';
import { type Made, toldOfOthers } from '../code/others.js';
import { type Compared, compareCode, revisionOf } from '../code/remote.js';
import { annotations, junit, type Outcome, outcomesOf, reportText } from '../code/report.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { type Cli, type CommandGroup, examples, type Run } from '../core/run.js';

interface CodeOptions {
  project: string;
  changed?: boolean;
  junit?: string;
  github?: boolean;
  commit?: string;
}

export const codeCommands: CommandGroup = (program, cli) => {
  onFiles(program, cli, 'test', test)
    .summary('test the code of this folder on the server')
    .description(
      'Runs the tests of transformations and libraries on the server, as a publish does, and publishes nothing. What differs is sent as a draft. It exits with 5 if a test fails.',
    )
    .addOption(new Option('--all', 'everything, which is the default').conflicts('changed'))
    .option('--changed', 'only what differs from what is published')
    .addHelpText(
      'after',
      examples('weir test', 'weir test "mask e-mail"', 'weir test --changed --junit weir-report.xml'),
    );
  onFiles(program, cli, 'publish', publish)
    .summary('test the code of this folder and make it live')
    .description(
      'Publishes what differs from the live version, all or nothing. If a test fails, nothing changes, and it exits with 5. If somebody else changes the same code meanwhile, nothing is published, and it says who.',
    )
    .option('--commit <id>', 'commit to remember with the revisions; GITHUB_SHA and CI_COMMIT_SHA are known')
    .addHelpText('after', examples('weir publish', 'weir publish "mask e-mail" --commit 3f1c9a5'));
};

const onFiles = (
  program: Command,
  cli: Cli,
  name: string,
  act: (run: Run<CodeOptions>) => Promise<ExitCode>,
): Command =>
  program
    .command(`${name} [names...]`)
    .option('--project <folder>', 'folder with weir.yaml', '.')
    .option('--junit <file>', 'write a report in the XML of JUnit')
    .option('--github', 'print annotations of GitHub Actions, which is the default there')
    .action(cli.action(act));

async function test(run: Run<CodeOptions>): Promise<ExitCode> {
  const { weir, compared } = await comparedFiles(run);
  const chosen = run.options.changed ? compared.filter(({ isChanged }) => isChanged) : compared;
  if (chosen.length === 0) return nothing(run, 'There is nothing to test.');
  const body = await requestOf(run, chosen);
  if (Array.isArray(body)) return told(run, body, false, 'Tests failed');
  const { pass, validationOutput } = await unwrap(weir.POST('/transformations/tests/run', { body }));
  return report(run, filesOf(compared), validationOutput, pass, pass ? '' : 'Tests failed');
}

async function publish(run: Run<CodeOptions>): Promise<ExitCode> {
  const { weir, compared } = await comparedFiles(run);
  const chosen = compared.filter(({ isChanged }) => isChanged);
  if (chosen.length === 0) return nothing(run, 'There is nothing to publish: the workspace has this code.');
  const { env } = run.io;
  const commitId = run.options.commit ?? env['GITHUB_SHA'] ?? env['CI_COMMIT_SHA'];
  const made: Made = new Map();
  try {
    const request = await requestOf(run, chosen, made);
    if (Array.isArray(request)) return told(run, request, false, 'Nothing was published');
    const body = { ...request, ...(commitId && { commitId }) };
    const { validationOutput } = await unwrap(weir.POST('/transformations/libraries/publish', { body }));
    return report(run, filesOf(compared), validationOutput, true, `Published ${names(chosen)}`);
  } catch (error) {
    if (!(error instanceof WeirError)) throw error;
    const { validationOutput } = (error.body ?? {}) as { validationOutput?: Schema<'ValidationOutput'> };
    if (error.code !== 'TESTS_FAILED' || !validationOutput) throw await toldOfOthers(weir, error, chosen, made);
    return report(run, filesOf(compared), validationOutput, false, 'Nothing was published');
  }
}

async function comparedFiles({ io, rest, options, client }: Run<CodeOptions>) {
  const files = selected(readCode(resolve(io.cwd, options.project), io), rest);
  if (files.length === 0) throw new CliError('The project has no code', 'Add transformations to weir.yaml.');
  const weir = client();
  return { weir, compared: await compareCode(weir, files) };
}

/**
 * Drafts of what differs, noted in `made`, with the tests on disk. Libraries come first, because code imports them. Code that the
 * server cannot even keep is an outcome for each such file instead.
 */
async function requestOf(
  { client }: Run<CodeOptions>,
  chosen: readonly Compared[],
  made: Made = new Map(),
): Promise<Schema<'PublishRequest'> | Outcome[]> {
  const weir = client();
  const [transformations, libraries]: [
    NonNullable<Schema<'PublishRequest'>['transformations']>,
    NonNullable<Schema<'PublishRequest'>['libraries']>,
  ] = [[], []];
  const refused: Outcome[] = [];
  const itemOf = async (one: Compared) => {
    try {
      const draft = await revisionOf(weir, one);
      made.set(one, draft);
      return { versionId: draft.versionId, ifMatch: draft.etag ?? null };
    } catch (error) {
      refused.push(refusalOf(one.file, error));
      return undefined;
    }
  };
  for (const one of chosen.filter(({ file }) => file.kind === 'libraries')) {
    const item = await itemOf(one);
    if (item) libraries.push(item);
  }
  for (const one of chosen.filter(({ file }) => file.kind === 'transformations')) {
    const { events, tests } = one.file;
    const item = await itemOf(one);
    if (item)
      transformations.push({
        ...{ ...item, testInput: events ?? null },
        ...(tests && { testSuite: tests, saveTests: true }),
      });
  }
  return refused.length > 0 ? refused : { transformations, libraries };
}

/** A failed test for code that the server refuses. Any other error is thrown. */
function refusalOf({ name, path }: CodeFile, error: unknown): Outcome {
  const problem = error instanceof WeirError && error.status === 400 ? error.details?.['code'] : undefined;
  if (typeof problem !== 'string') throw error;
  return { name, test: 'loads', isPassed: false, message: `The code ${problem}`, path };
}

function report(
  run: Run<CodeOptions>,
  files: readonly CodeFile[],
  output: Schema<'ValidationOutput'>,
  isPassed: boolean,
  end: string,
): ExitCode {
  return told(run, outcomesOf(output, files), isPassed, end);
}

/** Writes the outcomes to the terminal, and to a report file if one is asked for. */
function told({ io, out, options }: Run<CodeOptions>, outcomes: Outcome[], isPassed: boolean, end: string): ExitCode {
  if (options.junit) writeFileSync(resolve(io.cwd, options.junit), junit(outcomes));
  if (options.github ?? io.env['GITHUB_ACTIONS'] === 'true') {
    for (const line of annotations(outcomes)) io.err(`${line}\n`);
  }
  out.result({ pass: isPassed, outcomes }, (colors) => {
    const last = end && (isPassed ? colors.green(`✓ ${end}`) : colors.red(`✗ ${end}`));
    return [reportText(outcomes, colors), last].filter(Boolean).join('\n');
  });
  return isPassed ? ExitCode.ok : ExitCode.checkFailed;
}

function nothing({ out }: Run, sentence: string): ExitCode {
  out.result({ pass: true, outcomes: [] }, () => sentence);
  return ExitCode.ok;
}

const filesOf = (compared: readonly Compared[]) => compared.map(({ file }) => file);
const names = (chosen: readonly Compared[]) => chosen.map(({ file }) => file.name).join(', ');
