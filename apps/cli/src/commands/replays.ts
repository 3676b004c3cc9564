import { type Schema, unwrap } from '@weir/client';
import { destinationNames } from '../core/find.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { facts, printable, table } from '../core/table.js';
import { amountOf } from './replay-range.js';

const ID = '2nVbmbnCcjPzG9hUyFVmfNgRzKd';
const STEERS = {
  pause: { done: 'is paused', effect: 'Events that are queued already are sent.' },
  resume: { done: 'goes on', effect: 'It goes on where it was.' },
  cancel: { done: 'is cancelled', effect: 'It cannot go on after that. Events that are queued already are sent.' },
} as const;
type Steer = keyof typeof STEERS;

export const replaysCommands: CommandGroup = (program, cli) => {
  const replays = program.command('replays').summary('look at replays of a time range, and steer them');
  replays
    .command('list')
    .summary('list the replays')
    .description('Lists the newest 100 replays of a time range, dry runs too.')
    .addHelpText('after', examples('weir replays list'))
    .action(cli.action(list));
  replays
    .command('show <id>')
    .summary('show one replay')
    .description('Shows what a replay sends, how far it is, and why it waits.')
    .addHelpText('after', examples(`weir replays show ${ID}`))
    .action(cli.action(show));
  for (const [steer, { effect }] of Object.entries(STEERS) as [Steer, (typeof STEERS)[Steer]][])
    replays
      .command(`${steer} <id>`)
      .summary(`${steer} a replay`)
      .description(`${steer[0]?.toUpperCase()}${steer.slice(1)}s a replay of a time range. ${effect}`)
      .addHelpText('after', examples(`weir replays ${steer} ${ID}`))
      .action(cli.action((run) => steered(run, steer)));
};

async function list({ out, client }: Run): Promise<void> {
  const weir = client();
  const { replays } = await unwrap(weir.GET('/v2/deliveries/range-replays'));
  const names = replays.length > 0 ? await destinationNames(weir) : new Map<string, string>();
  out.result(replays, () =>
    table(
      ['ID', 'STATE', 'FROM', 'TO', 'DESTINATION', 'EVENTS'],
      replays.map((replay) => {
        const { id, from, to, destinationId, eventCount } = replay;
        return [id, stateOf(replay), from, to, names.get(destinationId) ?? destinationId, String(eventCount)];
      }),
      'There are no replays of a time range.',
    ),
  );
}

async function show({ out, args, client }: Run): Promise<void> {
  const weir = client();
  const params = { path: { id: args[0] ?? '' } };
  const { replay } = await unwrap(weir.GET('/v2/deliveries/range-replays/{id}', { params }));
  const name = (await destinationNames(weir)).get(replay.destinationId) ?? replay.destinationId;
  out.result(replay, () =>
    facts({
      ...{ id: replay.id, state: stateOf(replay), why: replay.problem, source: replay.sourceId },
      ...{ destination: printable(name), from: replay.from, to: replay.to },
      types: replay.types?.join(', '),
      names: replay.events?.map(printable).join(', '),
      rate: `${replay.eventsPerSecond} events per second`,
      [replay.dryRun ? 'counted' : 'sent']: amountOf(replay),
      'left out': replay.suppressedCount > 0 ? `${replay.suppressedCount} of suppressed or deleted users` : undefined,
      ...{ reached: replay.reachedAt, created: replay.createdAt, ended: replay.endedAt },
    }),
  );
}

async function steered({ out, args, client }: Run, steer: Steer): Promise<void> {
  const params = { path: { id: args[0] ?? '' } };
  const { replay } = await unwrap(client().POST(`/v2/deliveries/range-replays/{id}/${steer}`, { params }));
  out.result(replay, ({ green }) => green(`✓ ${replay.id} ${STEERS[steer].done}`));
}

const stateOf = ({ state, dryRun }: Schema<'RangeReplay'>): string => (dryRun ? `${state} (dry run)` : state);
