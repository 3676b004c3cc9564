import { z } from 'zod';
import { defineCall } from './call.js';
import { MESSAGE_TYPES } from './events.js';
import { Ksuid, Timestamp } from './ids.js';
import { by } from './regulation/audit.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/** Event names that one replay may ask for. */
export const RANGE_REPLAY_NAMES_MAX = 100;
/** Replays of a workspace that have not ended. */
export const RANGE_REPLAYS_OPEN_MAX = 10;
/** Replays that a list shows. */
export const RANGE_REPLAYS_LISTED_MAX = 100;
/** Events per second of a replay that names no rate. Far below what a deliverer takes, so that live events keep their pace. */
export const RANGE_REPLAY_RATE = 100;
export const RANGE_REPLAY_RATE_MAX = 10_000;

export const RangeReplayState = z.enum(['running', 'paused', 'done', 'cancelled', 'failed']);
export type RangeReplayState = z.output<typeof RangeReplayState>;

/** Selects accepted events of one source by the time of their intake, to be sent again. */
export const RangeReplaySelection = z.object({
  sourceId: Ksuid,
  destinationId: Ksuid.meta({ description: 'Where they are sent. It need not be connected to the source' }),
  from: Timestamp.meta({ description: 'Earliest time of intake, inclusive' }),
  to: Timestamp.meta({ description: 'Latest time of intake, exclusive' }),
  dryRun: z.boolean().meta({ description: 'Counts, and sends nothing' }),
  eventsPerSecond: z.int().min(1).max(RANGE_REPLAY_RATE_MAX),
  types: z.array(z.enum(MESSAGE_TYPES)).min(1).max(MESSAGE_TYPES.length).optional(),
  events: z
    .array(Text.min(1).max(1_024))
    .min(1)
    .max(RANGE_REPLAY_NAMES_MAX)
    .optional()
    .meta({ description: 'Only track events with these names' }),
});
export type RangeReplaySelection = z.output<typeof RangeReplaySelection>;

/** A replay of a time range from the archive. */
export const RangeReplay = RangeReplaySelection.extend({
  id: Ksuid,
  state: RangeReplayState,
  problem: z.string().optional().meta({ description: 'Why it is paused, has failed, or waits' }),
  eventCount: z.int().meta({ description: 'Events that were sent so far, or counted by a dry run' }),
  byteCount: z.int().meta({ description: 'Their size as JSON' }),
  suppressedCount: z.int().meta({ description: 'Events left out, because their user is suppressed or was deleted' }),
  unreadableSegments: z.int().optional().meta({ description: 'Damaged segments. Some of their events are missing' }),
  reachedAt: Timestamp.optional().meta({ description: 'Hour of intake that it has reached' }),
  createdAt: Timestamp,
  endedAt: Timestamp.optional(),
});
export type RangeReplay = z.output<typeof RangeReplay>;

const range = {
  ...{ sourceId: ID, destinationId: ID, dryRun: true, eventsPerSecond: 100 },
  ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T01:00:00.000Z' },
};
const example = {
  ...{ ...range, id: ID, state: 'running' as const, eventCount: 17, byteCount: 12_000, suppressedCount: 0 },
  ...{ createdAt: '2026-01-02T00:00:00.000Z' },
};

/** Begins a replay. Errors: `unsupported` without an archive, `conflict` if too many have not ended. */
export const StartRangeReplay = defineCall({
  subject: 'delivery.range-replay.start.v1',
  request: z.object({ workspaceId: Ksuid, selection: RangeReplaySelection, ...by }),
  reply: z.object({ replay: RangeReplay }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, selection: range }, reply: { replay: example } },
});

/** The latest replays of a workspace, newest first. */
export const ListRangeReplays = defineCall({
  subject: 'delivery.range-replay.list.v1',
  request: z.object({ workspaceId: Ksuid }),
  reply: z.object({ replays: z.array(RangeReplay).max(RANGE_REPLAYS_LISTED_MAX) }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { replays: [example] } },
});

/** Errors: `not_found`. */
export const GetRangeReplay = defineCall({
  subject: 'delivery.range-replay.get.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid }),
  reply: z.object({ replay: RangeReplay }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID }, reply: { replay: example } },
});

/** Pauses, resumes or cancels a replay. Errors: `not_found`, and `conflict` for one that has ended. */
export const SteerRangeReplay = defineCall({
  subject: 'delivery.range-replay.steer.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid, state: z.enum(['running', 'paused', 'cancelled']), ...by }),
  reply: z.object({ replay: RangeReplay }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, id: ID, state: 'paused' },
    reply: { replay: { ...example, state: 'paused' as const } },
  },
});
