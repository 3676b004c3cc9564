import { unwrap } from '@weir/client';
import { Option } from 'commander';
import kebabCase from 'lodash-es/kebabCase.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { destinationNames, idOf } from '../core/find.js';
import { EVENT_TYPES, timeOf } from '../core/option-values.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { type AgainstOptions, replayAgainst } from './replay-against.js';
import { type RangeOptions, replayRange } from './replay-range.js';

const STAGES = ['queue', 'user_transform', 'dest_transform', 'delivery'] as const;

const ONLY_AGAINST = ['samples', 'transformation', 'envFile'] as const;
const ONLY_RANGE = ['from', 'to', 'types', 'names', 'rate', 'yes', 'detach'] as const;
const ONLY_LETTERS = ['since', 'stage', 'id', 'against', ...ONLY_AGAINST] as const;

interface ReplayOptions extends AgainstOptions, RangeOptions {
  since?: string;
  stage?: (typeof STAGES)[number];
  id?: string[];
}

export const replayCommands: CommandGroup = (program, cli) => {
  program
    .command('replay')
    .summary('send events again: dead letters, or those of a time range')
    .description(
      `Sends events again that were not delivered, with the current code and configuration. --dry-run tells how many. --source sends what a source accepted in a time range instead, if the operator keeps an archive: it counts the events, asks, and tells how far it is. --against runs dead letters through the code of a folder, on this machine, and sends nothing. It exits with ${ExitCode.checkFailed} if the code fails on any event.`,
    )
    .option('--destination <name>', 'those of this destination; with --source: where to send them')
    .option('--since <time>', 'those that failed since: 30m, 2h, 7d, or a time such as 2026-01-01T00:00:00Z')
    .addOption(new Option('--stage <stage>', 'those that failed at this stage').choices(STAGES))
    .option('--id <ids...>', 'these dead letters')
    .option('--dry-run', 'tell what would be sent, and send nothing')
    .option('--source <name>', 'accepted events of this source, instead of dead letters')
    .option('--from <time>', 'with --source: accepted since, written as with --since')
    .option('--to <time>', 'with --source: accepted before; by default now')
    .addOption(new Option('--types <types...>', 'with --source: only events of these types').choices(EVENT_TYPES))
    .option('--names <names...>', 'with --source: only track events with these names')
    .option('--rate <n>', 'with --source: at most so many events per second; by default 100')
    .option('-y, --yes', 'with --source: send without counting and asking first')
    .option('--detach', 'with --source: do not wait for the end')
    .option('--against <folder>', 'run them through the code of this folder, and send nothing')
    .option('--samples', 'with --against: sampled events of the workspace instead of dead letters')
    .option('--transformation <name>', 'with --against: this one, and not that of the destination')
    .option('--env-file <file>', 'with --against: variables for credentials of the code')
    .addHelpText(
      'after',
      examples(
        'weir replay --destination "my server" --since 2h --dry-run',
        'weir replay --id 17 18',
        'weir replay --source "my site" --from 2h --to 1h --destination "my server"',
        'weir replay --destination "my server" --since 2h --against .',
      ),
    )
    .action(cli.action(replay));
};

async function replay(run: Run<ReplayOptions>): Promise<ExitCode> {
  const { options } = run;
  const isRange = options.source !== undefined;
  refuse(options, isRange ? ONLY_LETTERS : ONLY_RANGE, isRange ? 'cannot be used with --source' : 'need --source');
  if (options.against === undefined) refuse(options, ONLY_AGAINST, 'need --against');
  return isRange ? replayRange(run) : replayLetters(run);
}

function refuse(options: ReplayOptions, names: readonly (keyof ReplayOptions)[], why: string): void {
  const given = names.filter((name) => options[name] !== undefined).map((name) => `--${kebabCase(name)}`);
  if (given.length > 0)
    throw new CliError(`${given.join(', ')} ${why}`, '`weir replay --help` tells what goes together.');
}

async function replayLetters(run: Run<ReplayOptions>): Promise<ExitCode> {
  const { out, options, client } = run;
  const { destination, since, stage, id: ids, dryRun = false } = options;
  const isAgainst = options.against !== undefined;
  if (!destination && !ids && !(isAgainst && options.samples))
    throw new CliError('Which ones?', 'Name them with --destination, --id, or --source and --from.');
  const from = since === undefined ? undefined : timeOf('--since', since);
  const weir = client();
  const chosen = {
    ...(ids && { ids }),
    ...(destination && { destinationId: await idOf(weir, 'destination', destination) }),
    ...(from && { from }),
    ...(stage && { stage }),
  };
  if (isAgainst) return replayAgainst(run, chosen);
  const answer = await out.during(dryRun ? 'Counting' : 'Sending again', () =>
    unwrap(weir.POST('/v2/deliveries/replay', { body: { dryRun, ...chosen } })),
  );
  const names = answer.destinations.length > 0 ? await destinationNames(weir) : new Map<string, string>();
  out.result(answer, ({ bold }) =>
    [
      bold(sentText(answer.deliveries, dryRun)),
      ...answer.destinations.map((one) => `  ${names.get(one.destinationId) ?? one.destinationId}: ${one.deliveries}`),
    ].join('\n'),
  );
  return ExitCode.ok;
}

function sentText(count: number, isDry: boolean | undefined): string {
  if (count === 0) return 'There is nothing to send again';
  if (isDry) return `${count} would be sent again`;
  return `${count} ${count === 1 ? 'is' : 'are'} sent again`;
}
