import type { LiveEvent, LiveFilter } from '@weir/client';
import { Option } from 'commander';
import { destinationNames, idOf } from '../core/find.js';
import { EVENT_TYPES, numberOf } from '../core/option-values.js';
import type { Colors } from '../core/output.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { printable } from '../core/table.js';

const STATUSES = ['accepted', 'suppressed', 'delivered', 'failed', 'dead', 'dropped_by_code', 'filtered'] as const;
/** Events whose deliveries are shown after them, with --user. */
const FOLLOWED_MAX = 10_000;

interface TailOptions {
  source?: string;
  destination?: string;
  type?: (typeof EVENT_TYPES)[number];
  user?: string;
  status?: (typeof STATUSES)[number];
  limit?: string;
}

export const tailCommands: CommandGroup = (program, cli) => {
  program
    .command('tail')
    .summary('watch events live')
    .description(
      'Shows accepted events and what becomes of them, until you press Ctrl-C. A busy workspace is shown in part.',
    )
    .option('--source <name>', 'only events of this source, by name or id')
    .option('--destination <name>', 'only deliveries to this destination, by name or id')
    .addOption(new Option('--type <type>', 'only events of this type').choices(EVENT_TYPES))
    .option('--user <userId>', 'only events of this user, for tokens that may see events')
    .addOption(new Option('--status <status>', 'only this outcome').choices(STATUSES))
    .option('--limit <n>', 'end after so many lines')
    .addHelpText(
      'after',
      examples('weir tail --source "my site" --type track', 'weir tail --status dead --json | jq .data.reason'),
    )
    .action(cli.action(tail));
};

async function tail({ io, out, options, client }: Run<TailOptions>): Promise<void> {
  const limit = options.limit === undefined ? Number.POSITIVE_INFINITY : numberOf('--limit', options.limit);
  const weir = client();
  const filter: LiveFilter = { ...(options.type && { type: options.type }) };
  if (options.source) filter.sourceId = await idOf(weir, 'source', options.source);
  if (options.destination) filter.destinationId = await idOf(weir, 'destination', options.destination);
  const isShown = matcher(options);
  const names = await destinationNames(weir).catch(() => new Map<string, string>());
  const onOpen = () => out.note('Watching. Press Ctrl-C to end.');
  let shown = 0;
  for await (const live of weir.liveEvents({ ...filter, signal: io.signal, onOpen })) {
    if (live.event === 'end' && !io.signal.aborted)
      out.note('The view ended, and begins again. Events may be missing here.');
    if (live.event === 'skipped') out.note(`${live.data.events} or more events are not shown.`);
    if (!isShown(live)) continue;
    out.item({ ...live, status: statusOf(live) }, (colors) => lineOf(live, colors, names));
    shown += 1;
    if (shown === limit) return;
  }
}

/** Whether an event is shown. A delivery names no user, so it follows the accepted event of its message id. */
export function matcher({ user, status }: Pick<TailOptions, 'user' | 'status'>): (live: LiveEvent) => boolean {
  const followed = new Set<string>();
  const isOfUser = (live: LiveEvent): boolean => {
    const { messageId = '' } = live.data as { messageId?: string };
    if (live.event !== 'accepted') return followed.has(messageId);
    if (live.data.event?.['userId'] !== user) return false;
    if (followed.size >= FOLLOWED_MAX) followed.clear();
    followed.add(messageId);
    return true;
  };
  return (live) => {
    const own = statusOf(live);
    if (own === undefined) return false;
    const isUsers = user === undefined || isOfUser(live);
    return isUsers && (status === undefined || own === status);
  };
}

function statusOf(live: LiveEvent): string | undefined {
  if (live.event === 'delivery') return live.data.outcome;
  return live.event === 'accepted' || live.event === 'suppressed' ? live.event : undefined;
}

/** One line of what happened: time, outcome, what, where, and why. */
export function lineOf(
  live: LiveEvent,
  { dim, green, red, yellow, cyan }: Colors,
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const data = live.data as Record<string, unknown>;
  const status = statusOf(live) ?? live.event;
  const paint = { accepted: cyan, delivered: green, failed: yellow, dead: red }[status] ?? dim;
  const text = (field: string) => printable(String(data[field] ?? ''));
  const why = [data['responseStatus'], data['reason']].filter((one) => one !== undefined).join(' ');
  const what =
    live.event === 'suppressed' ? `${live.data.events} events` : [text('type'), text('name')].filter(Boolean).join(' ');
  const id = text('destinationId');
  const where = id && `→ ${printable(names.get(id) ?? id)}`;
  const parts = [
    dim(text('at').slice(11, 23)),
    paint(status.padEnd(15)),
    what,
    where,
    printable(why),
    dim(text('messageId')),
  ];
  return parts.filter(Boolean).join('  ');
}
