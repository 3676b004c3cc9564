import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { confined } from '../core/inside.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { exportProject } from '../project/export.js';
import { readWorkspace } from '../project/read-workspace.js';
import { jsonSchema } from '../project/schema.js';

interface ExportOptions {
  writeKeys?: boolean;
}

export const exportCommands: CommandGroup = (program, cli) => {
  program
    .command('export [folder]')
    .summary('write the workspace as files')
    .description(
      'Writes weir.yaml and a file for each resource. Secrets become {{ env.NAME }}, and env.example lists their names.',
    )
    .option('--write-keys', 'write the write keys of sources too, to make this very workspace again')
    .addHelpText('after', examples('weir export', 'weir export workspace --write-keys'))
    .action(cli.action(exportWorkspace));
  program
    .command('schema')
    .summary('print the JSON Schema of weir.yaml, for editors')
    .description('An editor with YAML support completes and checks weir.yaml with it.')
    .addHelpText('after', examples('weir schema > weir.schema.json'))
    .action(cli.action(async ({ io }) => io.out(`${JSON.stringify(jsonSchema(), null, 2)}\n`)));
};

async function exportWorkspace({ io, out, args, options, client, credentials }: Run<ExportOptions>): Promise<void> {
  const folder = resolve(io.cwd, args[0] ?? '.');
  const { files, variables, problems } = exportProject(await readWorkspace(client(), credentials().token), {
    writeKeys: options.writeKeys ?? false,
  });
  if (problems.length > 0) throw new CliError(problems.join('\n'), 'Then export again.', ExitCode.failed);
  const inTheWay = Object.keys(files).filter((file) => existsSync(join(folder, file)));
  if (inTheWay.length > 0)
    throw new CliError(`${inTheWay.join(', ')} is already there`, 'Name a new folder, and compare: weir export other.');
  for (const [file, text] of Object.entries(files)) {
    const path = confined(join(folder, file), io);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const names = Object.keys(variables);
  out.result({ folder, files: Object.keys(files), variables: names }, ({ green }) =>
    [
      green(`✓ ${Object.keys(files).length} files in ${folder}`),
      ...(names.length > 0 ? [`weir plan needs these variables: ${names.join(', ')}`] : []),
    ].join('\n'),
  );
}
