import { unwrap } from '@weir/client';
import { Option } from 'commander';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { destinationNames, idOf } from '../core/find.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { type AgainstOptions, replayAgainst } from './replay-against.js';

const STAGES = ['queue', 'user_transform', 'dest_transform', 'delivery'] as const;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const ONLY_AGAINST = ['samples', 'transformation', 'envFile'] as const;

interface ReplayOptions extends AgainstOptions {
  destination?: string;
  since?: string;
  stage?: (typeof STAGES)[number];
  id?: string[];
  dryRun?: boolean;
}

export const replayCommands: CommandGroup = (program, cli) => {
  program
    .command('replay')
    .summary('send dead letters again')
    .description(
      `Sends events again that were not delivered, with the current code and configuration. --dry-run tells how many. --against runs them through the code of a folder instead, on this machine, and sends nothing. It exits with ${ExitCode.checkFailed} if the code fails on any event.`,
    )
    .option('--destination <name>', 'those of this destination')
    .option('--since <time>', 'those that failed since: 30m, 2h, 7d, or a time such as 2026-01-01T00:00:00Z')
    .addOption(new Option('--stage <stage>', 'those that failed at this stage').choices(STAGES))
    .option('--id <ids...>', 'these dead letters')
    .option('--dry-run', 'tell what would be sent, and send nothing')
    .option('--against <folder>', 'run them through the code of this folder, and send nothing')
    .option('--samples', 'with --against: sampled events of the workspace instead of dead letters')
    .option('--transformation <name>', 'with --against: this one, and not that of the destination')
    .option('--env-file <file>', 'with --against: variables for credentials of the code')
    .addHelpText(
      'after',
      examples(
        'weir replay --destination "my server" --since 2h --dry-run',
        'weir replay --id 17 18',
        'weir replay --destination "my server" --since 2h --against .',
      ),
    )
    .action(cli.action(replay));
};

async function replay(run: Run<ReplayOptions>): Promise<ExitCode> {
  const { out, options, client } = run;
  const { destination, since, stage, id: ids, dryRun = false } = options;
  const isAgainst = options.against !== undefined;
  if (!destination && !ids && !(isAgainst && options.samples))
    throw new CliError('Which ones?', 'Name them with --destination or --id.');
  const needsFolder = ONLY_AGAINST.filter((name) => !isAgainst && options[name] !== undefined);
  if (needsFolder.length > 0) throw new CliError('--samples, --transformation and --env-file need --against');
  const from = since === undefined ? undefined : timeOf(since);
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

/** The time of `2h` ago, or of a date. */
export function timeOf(text: string, now = Date.now()): string {
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = amount ? now - Number(amount) * (UNIT_MS[unit] ?? 0) : Date.parse(text);
  if (Number.isNaN(time))
    throw new CliError(`--since is not a time: ${text}`, 'Write 30m, 2h, 7d or 2026-01-01T00:00:00Z.');
  return new Date(time).toISOString();
}

function sentText(count: number, isDry: boolean | undefined): string {
  if (count === 0) return 'There is nothing to send again';
  if (isDry) return `${count} would be sent again`;
  return `${count} ${count === 1 ? 'is' : 'are'} sent again`;
}
