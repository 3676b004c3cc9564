import { resolve } from 'node:path';
import { isCancel, select } from '@clack/prompts';
import { unwrap, type WeirClient } from '@weir/client';
import { createTwoFilesPatch } from 'diff';
import { readCode, selected } from '../code/folder.js';
import { compareCode, listCode } from '../code/remote.js';
import { ifMatch } from '../core/entity-tag.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { findLibrary, findTransformation } from '../core/find.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { table } from '../core/table.js';

export const revisionCommands: CommandGroup = (program, cli) => {
  for (const kind of ['transformations', 'libraries'] as const) {
    program
      .command(kind)
      .summary(`list the ${kind}`)
      .command('list')
      .summary(`list the ${kind} of the workspace`)
      .description(`Lists the ${kind}, published ones and drafts.`)
      .addHelpText('after', examples(`weir ${kind} list`, `weir ${kind} list --json`))
      .action(
        cli.action(async ({ out, client }) => {
          const all = (await listCode(client())).filter((one) => one.kind === kind);
          const rows = all.map(({ name, id, versionId, isPublished }) => [
            name,
            id,
            versionId,
            isPublished ? 'live' : 'draft',
          ]);
          out.result(all, () => table(['NAME', 'ID', 'VERSION', 'STATE'], rows, `There are no ${kind}.`));
        }),
      );
  }
  program
    .command('history <name>')
    .summary('list the revisions of a transformation or library')
    .description('Lists revisions, the newest first.')
    .option('--library', 'of a library')
    .option('--count <n>', 'how many', '20')
    .addHelpText('after', examples('weir history "mask e-mail"', 'weir history masks --library'))
    .action(cli.action(history));
  program
    .command('rollback <name>')
    .summary('make an earlier revision live again')
    .description('Publishes an earlier revision of a transformation, if it passes the tests of a publish.')
    .option('--to <versionId>', 'the revision (asked for by default)')
    .addHelpText('after', examples('weir rollback "mask e-mail" --to 2nVbmVzvVS3oSZWHUWDq4pRdEWT'))
    .action(cli.action(rollback));
  program
    .command('diff [names...]')
    .summary('show how the code of this folder differs from what is live')
    .description('Prints what a publish would change, as a patch. With --check it exits with 5 if anything differs.')
    .option('--project <folder>', 'folder with weir.yaml', '.')
    .option('--check', 'exit with 5 if anything differs')
    .addHelpText('after', examples('weir diff', 'weir diff --check'))
    .action(cli.action(diff));
};

async function history({ out, args, options, client }: Run<{ library?: boolean; count: string }>): Promise<void> {
  const revisions = await revisionsOf(client(), args[0] ?? '', options.library === true, countOf(options.count));
  const rows = revisions.map(({ versionId, createdAt, createdBy = '', commitId = '', isPublished }) => {
    return [versionId, createdAt, createdBy, commitId, isPublished ? 'live' : ''];
  });
  out.result(revisions, () => table(['VERSION', 'CREATED', 'BY', 'COMMIT', ''], rows));
}

async function revisionsOf(weir: WeirClient, name: string, isLibrary: boolean, count: number) {
  const query = { count, orderBy: 'DESC' as const };
  if (isLibrary) {
    const { id } = await findLibrary(weir, name);
    const answer = weir.GET('/libraries/{id}/versions', { params: { path: { id }, query } });
    return (await unwrap(answer)).libraryVersions;
  }
  const { id } = await findTransformation(weir, name);
  const answer = weir.GET('/transformations/{id}/versions', { params: { path: { id }, query } });
  return (await unwrap(answer)).TransformationVersions;
}

async function rollback(run: Run<{ to?: string }>): Promise<void> {
  const { out, args, options, client } = run;
  const weir = client();
  const { id, name, etag } = await findTransformation(weir, args[0] ?? '');
  const versionId = options.to ?? (await ask(run, weir, id));
  const params = { path: { id }, ...ifMatch(etag) };
  const live = await unwrap(weir.POST('/transformations/{id}/rollback', { params, body: { versionId } }));
  out.result(live, ({ green }) => green(`✓ ${name} is live as ${versionId}`));
}

async function ask({ io }: Run, weir: WeirClient, id: string): Promise<string> {
  if (!io.isInteractive) throw new CliError('--to is missing', '`weir history` lists the revisions.');
  const revisions = await revisionsOf(weir, id, false, 20);
  const options = revisions
    .filter(({ isPublished }) => !isPublished)
    .map(({ versionId, createdAt, createdBy = '' }) => ({ value: versionId, label: `${createdAt} ${createdBy}` }));
  const answer = await select({ message: 'Which revision?', options });
  if (isCancel(answer)) throw new CliError('Nothing was changed');
  return answer;
}

async function diff({ io, out, rest, options, client }: Run<{ project: string; check?: boolean }>): Promise<ExitCode> {
  const files = selected(readCode(resolve(io.cwd, options.project), io), rest);
  const changed = (await compareCode(client(), files)).filter(({ isChanged }) => isChanged);
  const patches = changed.map(({ file, remote }) => {
    const live = remote?.isPublished ? remote.code : '';
    const state = remote?.isPublished ? 'changed' : 'new';
    return {
      kind: file.kind,
      name: file.name,
      state,
      patch: createTwoFilesPatch(`live ${file.name}`, file.path, live, file.code),
    };
  });
  out.result(patches, ({ green, red }) => {
    const painted = (line: string) => (/^\+/.test(line) ? green(line) : /^-/.test(line) ? red(line) : line);
    const text = patches.map(({ patch }) => patch.trimEnd().split('\n').map(painted).join('\n')).join('\n');
    return text || 'The workspace has this code.';
  });
  return options.check && patches.length > 0 ? ExitCode.checkFailed : ExitCode.ok;
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new CliError(`--count must be a number from 1, and is ${text}`);
  return Number(text);
}
