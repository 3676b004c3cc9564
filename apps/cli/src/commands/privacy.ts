import { randomUUID } from 'node:crypto';
import { type Schema, unwrap } from '@weir/client';
import type { Command } from 'commander';
import { requireYes } from '../core/confirm.js';
import { CliError } from '../core/errors.js';
import { idOf } from '../core/find.js';
import { type Cli, type CommandGroup, examples, type Run } from '../core/run.js';
import { facts, table } from '../core/table.js';

interface RegulateOptions {
  source?: string[];
  destination?: string[];
  dryRun?: boolean;
  yes?: boolean;
}

export const privacyCommands: CommandGroup = (program, cli) => {
  regulate(program, cli, 'suppress')
    .summary('stop the events of users')
    .description('Stops every event of these users whose intake begins after the answer.')
    .addHelpText('after', examples('weir suppress u1', 'weir suppress u1 u2 --source "my site"'));
  regulate(program, cli, 'forget')
    .summary('stop the events of users and delete what destinations hold')
    .description(
      'Stops the events of these users, and deletes what destinations hold about them. A deletion cannot be undone.',
    )
    .option('--destination <names...>', 'deletes only there; by default everywhere')
    .option('-y, --yes', 'delete without asking')
    .addHelpText('after', examples('weir forget u1 --dry-run', 'weir forget u1 --destination "my server" --yes'));
  const regulation = program.command('regulation').summary('look at regulations, and cancel them');
  regulation
    .command('list')
    .summary('list the regulations')
    .description('Lists the regulations of the workspace, or those of one user.')
    .option('--user <userId>', 'only those of this user')
    .addHelpText('after', examples('weir regulation list --user u1'))
    .action(cli.action(list));
  regulation
    .command('show <id>')
    .summary('show one regulation and its deletions')
    .description('Shows a regulation, and how far its deletion is at each destination.')
    .addHelpText('after', examples('weir regulation show 0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d'))
    .action(cli.action(show));
  regulation
    .command('cancel <id>')
    .summary('cancel a regulation')
    .description('Lets events of the user pass again. What was deleted stays deleted.')
    .addHelpText('after', examples('weir regulation cancel 0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d'))
    .action(cli.action(cancel));
};

const regulate = (program: Command, cli: Cli, name: 'suppress' | 'forget'): Command =>
  program
    .command(`${name} <userIds...>`)
    .option('--source <names...>', 'only events of these sources; by default of all')
    .option('--dry-run', 'show the cost and the effect, and store nothing')
    .action(cli.action((run: Run<RegulateOptions>) => create(run, name === 'forget')));

async function create(run: Run<RegulateOptions>, isDeletion: boolean): Promise<void> {
  const { out, rest, options, client } = run;
  if (isDeletion && !options.dryRun && !options.yes) await askToDelete(run);
  const weir = client();
  const ids = (kind: 'source' | 'destination', names: string[]) =>
    Promise.all(names.map((name) => idOf(weir, kind, name)));
  const body: Schema<'CreateRegulation'> = {
    regulationType: isDeletion ? 'suppress_with_delete' : 'suppress',
    users: rest.map((userId) => ({ userId })),
    ...(options.source && { sourceIds: await ids('source', options.source) }),
    ...(options.destination && { destinationIds: await ids('destination', options.destination) }),
  };
  // The key makes the request safe to repeat when the server puts it off.
  const headers = { 'Idempotency-Key': randomUUID() };
  const query = { ...(options.dryRun && { dryRun: true }) };
  const answer = await weir.POST('/v2/regulations', { body, headers, params: { query } });
  const made = await unwrap(answer);
  const warning = answer.response?.headers.get('deletion-warning');
  if (warning) out.note(`Deletion: ${warning}`);
  out.result(made, ({ green }) => (Array.isArray(made) ? madeText(made, green) : planText(made)));
}

async function askToDelete({ io, rest }: Run<RegulateOptions>): Promise<void> {
  const users = rest.length === 1 ? `user ${rest[0]}` : `${rest.length} users`;
  if (!io.isInteractive)
    throw new CliError(`The data of ${users} would be deleted, and there is nobody to ask`, 'Pass --yes to delete it.');
  await requireYes(`Delete what destinations hold about ${users}? It cannot be undone.`);
}

const madeText = (made: readonly Schema<'Regulation'>[], green: (text: string) => string): string =>
  [green(`✓ ${made.length} in force`), ...made.map(({ id, attributes }) => `${id}  ${attributes['userId']}`)].join(
    '\n',
  );

function planText({ cost, covered, users, destinations }: Schema<'RegulationPlan'>): string {
  const units = `${cost.suppression} suppression and ${cost.deletion} deletion units`;
  const head = facts({
    users: String(users),
    cost: `${units}, ${covered ? 'covered' : 'more than this hour has left'}`,
  });
  if (destinations.length === 0) return head;
  const rows = destinations.map(({ destinationId, name = destinationId, type, deletion, reason = '' }) => [
    name,
    type,
    deletion,
    reason,
  ]);
  return `${head}\n${table(['DESTINATION', 'TYPE', 'DELETION', 'WHY'], rows)}`;
}

/** The id of a user is empty only if the server cannot open it. */
const userOf = ({ userId }: Schema<'Regulation'>['attributes']): string => String(userId || '(cannot be opened)');

async function list({ out, options, client }: Run<{ user?: string }>): Promise<void> {
  const query = { ...(options.user && { userId: options.user }) };
  const regulations: Schema<'Regulation'>[] = [];
  for await (const one of client().paginate('/v2/regulations', { params: { query } })) regulations.push(one);
  out.result(regulations, () =>
    table(
      ['ID', 'TYPE', 'STATE', 'USER'],
      regulations.map(({ id, regulationType, attributes, canceled }) => {
        const state = canceled ? 'canceled' : 'in force';
        return [id, regulationType, state, userOf(attributes)];
      }),
      'There are no regulations.',
    ),
  );
}

async function show({ out, args, client }: Run): Promise<void> {
  const params = { path: { id: args[0] ?? '' } };
  const found = await unwrap(client().GET('/v2/regulations/{id}', { params }));
  const { id, regulationType, attributes, canceled, createdAt, deletion } = found;
  out.result(found, () => {
    const state = canceled ? 'canceled' : 'in force';
    const user = userOf(attributes);
    const head = facts({ id, type: regulationType, user, state, created: createdAt, deletion: deletion?.status });
    const rows =
      deletion?.destinations.map((one) => [one.name ?? one.destinationId, one.status, one.reason ?? '']) ?? [];
    return rows.length === 0 ? head : `${head}\n${table(['DESTINATION', 'STATUS', 'WHY'], rows)}`;
  });
}

async function cancel({ out, args, client }: Run): Promise<void> {
  const id = args[0] ?? '';
  await unwrap(client().DELETE('/v2/regulations/{id}', { params: { path: { id } } }));
  out.result({ id, canceled: true }, ({ green }) => green(`✓ ${id} is canceled`));
}
