import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { unwrap } from '@weir/client';
import { findNamed } from '../core/find.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { withSdkCalls } from '../core/sdk-calls.js';

interface TypesOptions {
  source?: string;
  calls?: boolean;
  out?: string;
}

export const typesCommands: CommandGroup = (program, cli) => {
  program
    .command('types')
    .summary('print TypeScript types of the events seen so far')
    .description('Prints one type for each event model: what your code may count on, as far as events have shown it.')
    .option('--source <name>', 'only events of this source')
    .option('--calls', 'add types for the calls of an SDK, so that a compiler checks names and properties')
    .option('--out <file>', 'write them to a file')
    .addHelpText('after', examples('weir types --source "my site" --calls --out events.d.ts'))
    .action(cli.action(types));
};

async function types({ io, out, options, client, credentials }: Run<TypesOptions>): Promise<void> {
  const weir = client();
  const sources = [];
  if (options.source) for await (const source of weir.paginate('/v2/sources')) sources.push(source);
  const source = options.source ? findNamed('source', sources, options.source) : undefined;
  // Area D takes a token as a password without a name.
  const authorization = `Basic ${btoa(`:${credentials().token}`)}`;
  const types = await unwrap(
    weir.GET('/schemas/event-models/typescript', {
      params: { query: { ...(source && { WriteKey: source.writeKey }) } },
      headers: { authorization },
      parseAs: 'text',
    }),
  );
  const text = options.calls ? withSdkCalls(types) : types;
  if (options.out === undefined) {
    out.result({ types: text }, () => text.trimEnd());
    return;
  }
  writeFileSync(resolve(io.cwd, options.out), text);
  out.result({ file: options.out }, () => `Wrote ${options.out}.`);
}
