import {
  invalidField,
  RANGE_REPLAY_RATE,
  RANGE_REPLAY_RATE_MAX,
  RangeReplay,
  RangeReplaySelection,
  type RangeReplaySelection as Selection,
} from '@weir/contracts';
import { z } from 'zod';
import { bodyId, instant, pathId, wholeNumber } from '../../http/fields.js';

/** Each hour of a range is looked up, so a range without an end would keep an archiver busy for nothing. */
const RANGE_DAYS_MAX = 366;
const A_DAY_MS = 86_400_000;

const { types, events } = RangeReplaySelection.shape;

export const RangeReplayBody = z
  .object({
    sourceId: bodyId,
    destinationId: bodyId.meta({ description: 'Where the events are sent. It need not be connected to the source' }),
    from: instant.meta({ description: 'Earliest time of intake, inclusive' }),
    to: instant.meta({ description: 'Latest time of intake, exclusive. Not in the future' }),
    dryRun: z.boolean().default(true).meta({ description: '`false` sends. Otherwise events are only counted' }),
    eventsPerSecond: wholeNumber(1, RANGE_REPLAY_RATE_MAX)
      .default(RANGE_REPLAY_RATE)
      .meta({ default: RANGE_REPLAY_RATE, description: 'Rate on average over some seconds' }),
    types: types.meta({ description: 'Only events of these types' }),
    events,
  })
  .meta({
    id: 'RangeReplayRequest',
    examples: [
      {
        ...{ sourceId: '2nVbmZCRoMIaUeXPrC0bTgOF3B0', destinationId: '2nVbmbnCcjPzG9hUyFVmfNgRzKd' },
        ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T06:00:00Z', dryRun: true },
      },
    ],
  });
export type RangeReplayBody = z.output<typeof RangeReplayBody>;

export const RangeReplayPath = z.object({ id: pathId('replay') });
export type RangeReplayPath = z.output<typeof RangeReplayPath>;

export const RangeReplayAnswer = z.object({ replay: RangeReplay.meta({ id: 'RangeReplay' }) });
export const RangeReplayList = z.object({ replays: z.array(RangeReplayAnswer.shape.replay) });

/** Throws `invalid` for a range that is empty, too long, or not over. */
export function rangeOf({ from, to, ...rest }: RangeReplayBody, now = Date.now()): Selection {
  if (to <= from) throw invalidField('to', 'must be after from');
  if (to.getTime() > now) throw invalidField('to', 'must not be in the future');
  if (to.getTime() - from.getTime() > RANGE_DAYS_MAX * A_DAY_MS)
    throw invalidField('from', `must be at most ${RANGE_DAYS_MAX} days before to`);
  return { ...rest, from: from.toISOString(), to: to.toISOString() };
}
