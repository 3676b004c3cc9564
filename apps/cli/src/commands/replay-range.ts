import { setTimeout as delay } from 'node:timers/promises';
import { type Schema, unwrap, type WeirClient } from '@weir/client';
import { requireYes } from '../core/confirm.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { idOf } from '../core/find.js';
import { type EVENT_TYPES, numberOf, timeOf } from '../core/option-values.js';
import type { Run } from '../core/run.js';

const POLL_MS = 1_000;
/** Events are stored a little later than they come in, so a replay begins this long after the end of its range. */
const STORED_WITHIN_MS = 120_000;

export interface RangeOptions {
  source?: string;
  destination?: string;
  from?: string;
  to?: string;
  types?: (typeof EVENT_TYPES)[number][];
  names?: string[];
  rate?: string;
  dryRun?: boolean;
  yes?: boolean;
  detach?: boolean;
}

export type RangeReplay = Schema<'RangeReplay'>;

/** Sends the events that a source accepted in a time range, or counts them. Counts and asks first, unless the caller has agreed. */
export async function replayRange(run: Run<RangeOptions>): Promise<ExitCode> {
  const { out, io, options } = run;
  const { dryRun = false, yes = false, detach = false, destination, from } = options;
  if (destination === undefined || from === undefined)
    throw new CliError(
      '--source needs --destination and --from',
      'They say where the events are sent, and since when.',
    );
  if (!dryRun && !yes && !io.isInteractive)
    throw new CliError(
      'Events would be sent again, and there is nobody to ask',
      'Pass --yes, or count with --dry-run.',
    );
  const weir = run.client();
  const selection = await selectionOf(weir, options);
  if (!dryRun && !yes) {
    const counted = await followed(run, weir, await begun(weir, { ...selection, dryRun: true }));
    if (counted.eventCount === 0) return told(run, counted);
    await requireYes(`Send ${amountOf(counted)} to ${destination}?`);
  }
  const replay = await begun(weir, { ...selection, dryRun });
  const where = `\`weir replays show ${replay.id}\``;
  if (!detach) out.note(`Replay ${replay.id} has begun. It goes on without this command: ${where}.`);
  if (!detach) return told(run, await followed(run, weir, replay));
  out.result(replay, ({ green }) => green(`✓ ${replay.id} has begun. ${where} tells how far it is.`));
  return ExitCode.ok;
}

function told({ out }: Run, replay: RangeReplay): ExitCode {
  out.result(replay, ({ bold }) => bold(endText(replay)));
  return ExitCode.ok;
}

async function selectionOf(
  weir: WeirClient,
  { source = '', destination = '', from = '', to, types, names, rate }: RangeOptions,
): Promise<Schema<'RangeReplayRequest'>> {
  const [end, begin] = [to === undefined ? new Date().toISOString() : timeOf('--to', to), timeOf('--from', from)];
  const eventsPerSecond = rate === undefined ? undefined : numberOf('--rate', rate);
  return {
    sourceId: await idOf(weir, 'source', source),
    destinationId: await idOf(weir, 'destination', destination),
    from: begin,
    to: end,
    ...(types && { types }),
    ...(names && { events: names }),
    ...(eventsPerSecond !== undefined && { eventsPerSecond }),
  };
}

async function begun(weir: WeirClient, body: Schema<'RangeReplayRequest'>): Promise<RangeReplay> {
  return (await unwrap(weir.POST('/v2/deliveries/range-replays', { body }))).replay;
}

/** Waits until the replay is done. Throws if it is paused, was cancelled or has failed. */
async function followed({ io, out }: Run, weir: WeirClient, replay: RangeReplay): Promise<RangeReplay> {
  const params = { path: { id: replay.id } };
  const ended = await out.during(replay.dryRun ? 'Counting' : 'Sending again', async ({ detail }) => {
    let now = replay;
    while (now.state === 'running') {
      detail(progressText(now));
      await delay(POLL_MS, undefined, { signal: io.signal });
      now = (await unwrap(weir.GET('/v2/deliveries/range-replays/{id}', { params }))).replay;
    }
    return now;
  });
  if (ended.state === 'done') return ended;
  const { id, state, problem, dryRun } = ended;
  const why = problem ? `${state}: ${problem}` : state;
  const hint = state === 'paused' ? `\`weir replays resume ${id}\` goes on with it.` : undefined;
  throw new CliError(`The ${dryRun ? 'dry run' : 'replay'} ${id} is ${why}`, hint, ExitCode.failed);
}

function progressText(replay: RangeReplay): string {
  const beginsAt = Date.parse(replay.to) + STORED_WITHIN_MS;
  if (replay.problem) return replay.problem;
  if (beginsAt > Date.now()) return `begins at ${new Date(beginsAt).toISOString()}, when all events are stored`;
  return [amountOf(replay), replay.reachedAt && `has reached ${replay.reachedAt}`].filter(Boolean).join(', ');
}

function endText(replay: RangeReplay): string {
  const { eventCount, suppressedCount, dryRun } = replay;
  const head =
    eventCount === 0 ? 'There is nothing to send again' : `${amountOf(replay)} ${verbOf(eventCount, dryRun)}`;
  return suppressedCount === 0 ? head : `${head}\n${suppressedCount} of suppressed or deleted users are left out`;
}

function verbOf(count: number, dryRun: boolean): string {
  if (dryRun) return 'would be sent again';
  return count === 1 ? 'is sent again' : 'are sent again';
}

/** `12 events (0.1 MB)`. */
export const amountOf = ({ eventCount, byteCount }: RangeReplay): string =>
  `${eventCount} ${eventCount === 1 ? 'event' : 'events'} (${(byteCount / 1_000_000).toFixed(1)} MB)`;
