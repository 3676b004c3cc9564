import { z } from 'zod';
import { defineCall } from './call.js';
import { JsonObject, Ksuid, Timestamp } from './ids.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/** Deliveries per page of a list. */
export const DELIVERIES_PAGE_SIZE = 50;
/** Dead letters that one replay may name. */
export const REPLAY_IDS_MAX = 1_000;
/** How many hours of counters are kept. */
export const DELIVERY_HOURS_MAX = 30 * 24;

/** Only these are listed. Delivered, filtered and dropped events are only counted. */
export const DeliveryStatus = z.enum(['retrying', 'dead']);
export type DeliveryStatus = z.output<typeof DeliveryStatus>;

/** The stage at which an event stopped. `queue` means that too many events waited for its destination. */
export const DeadLetterStage = z.enum(['queue', 'user_transform', 'dest_transform', 'delivery']);
export type DeadLetterStage = z.output<typeof DeadLetterStage>;

const Id = z.string().regex(/^\d{1,18}$/);
const Cursor = Text.max(64);

/** An event that has not reached its destination, either for good or so far. */
export const Delivery = z.object({
  id: z.string(),
  status: DeliveryStatus,
  destinationId: Ksuid,
  sourceId: Ksuid,
  messageId: z.string().optional(),
  eventType: z.string().optional(),
  eventName: z.string().optional(),
  stage: DeadLetterStage,
  reason: z.string().meta({ description: 'Last answer of the destination, or why nothing was sent' }),
  responseStatus: z.int().optional().meta({ description: 'HTTP status of the last answer' }),
  attempts: z.int(),
  receivedAt: Timestamp.meta({ description: 'Time of intake, or of the replay' }),
  lastAttemptAt: Timestamp,
  nextAttemptAt: Timestamp.optional().meta({ description: 'Only for deliveries under retry' }),
  replayRequestedAt: Timestamp.optional().meta({ description: 'A replay of it is pending' }),
  eventDropped: z.literal(true).optional().meta({
    description:
      'Its event was not kept, because dead letters had used up their bytes of that day. It cannot be replayed',
  }),
});
export type Delivery = z.output<typeof Delivery>;

const exampleDelivery = {
  ...{ id: '17', status: 'dead' as const, destinationId: ID, sourceId: ID, messageId: 'm1', eventType: 'track' },
  ...{ stage: 'delivery' as const, reason: '{"problem":"no such plan"}', responseStatus: 422, attempts: 1 },
  ...{ receivedAt: '2026-01-01T00:00:00.000Z', lastAttemptAt: '2026-01-01T00:00:01.000Z' },
};

/** Lists events in retry first, then dead letters, both newest first. `invalid` for a malformed cursor. */
export const ListDeliveries = defineCall({
  subject: 'delivery.list.v1',
  request: z.object({
    workspaceId: Ksuid,
    destinationId: Ksuid.optional(),
    status: DeliveryStatus.optional(),
    cursor: Cursor.optional(),
  }),
  reply: z.object({ deliveries: z.array(Delivery), next: Cursor.optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, status: 'dead' }, reply: { deliveries: [exampleDelivery] } },
});

/** One dead letter with its event as it was accepted, if that was kept. Errors: `not_found`. */
export const GetDelivery = defineCall({
  subject: 'delivery.get.v1',
  request: z.object({ workspaceId: Ksuid, id: Id }),
  reply: z.object({ delivery: Delivery, event: JsonObject.optional() }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, id: '17' },
    reply: { delivery: exampleDelivery, event: { type: 'track', event: 'Bought' } },
  },
});

/** Selects dead letters by id, or those of one destination that match every given condition. */
export const ReplaySelection = z.union([
  z.object({ ids: z.array(Id).min(1).max(REPLAY_IDS_MAX) }),
  z.object({
    destinationId: Ksuid,
    /** Range of the times at which they became dead letters. `from` is inclusive, `to` is exclusive. */
    from: Timestamp.optional(),
    to: Timestamp.optional(),
    stage: DeadLetterStage.optional(),
  }),
]);
export type ReplaySelection = z.output<typeof ReplaySelection>;

/**
 * Marks dead letters for sending, or only counts them with `dryRun`. Those whose event was not kept are left out. They are sent soon after, oldest first, with the code and
 * configuration that are live then. Each leaves the list once it is in the queue of its destination.
 */
export const ReplayDeliveries = defineCall({
  subject: 'delivery.replay.v1',
  request: z.object({ workspaceId: Ksuid, dryRun: z.boolean(), selection: ReplaySelection }),
  reply: z.object({
    deliveries: z.int(),
    /** Count per destination. */
    destinations: z.array(z.object({ destinationId: Ksuid, deliveries: z.int() })),
    oldest: Timestamp.optional(),
    newest: Timestamp.optional(),
  }),
  deadlineMs: 15_000,
  example: {
    request: { workspaceId: WORKSPACE, dryRun: true, selection: { ids: ['17'] } },
    reply: { deliveries: 1, destinations: [{ destinationId: ID, deliveries: 1 }] },
  },
});

/** Events of one destination over some hours, counted by outcome. */
export const DeliveryCounters = z.object({
  destinationId: Ksuid,
  accepted: z.int().meta({ description: 'Events that came in for the destination' }),
  transformed: z.int().meta({ description: 'Events that user code returned' }),
  droppedByCode: z.int(),
  failedInCode: z
    .int()
    .default(0)
    .meta({ description: 'Events for which user code failed. They are dead letters, too, until they are sent again' }),
  filtered: z
    .int()
    .meta({ description: 'Events that their client does not want here, or that the kind makes no request for' }),
  suppressed: z.int().meta({ description: 'Events of suppressed users, stopped by the filter or right before a send' }),
  dropped: z.int().meta({ description: 'Events that waited when the destination was disabled' }),
  delivered: z.int(),
  failed: z.int().meta({ description: 'Failed attempts, including those of events that were delivered later' }),
  dead: z.int().meta({ description: 'Dead letters that were not sent again' }),
  inRetry: z.int().meta({ description: 'Events that wait for another attempt now' }),
  waitingSince: Timestamp.optional().meta({ description: 'Intake of the oldest event that waits for another attempt' }),
  breakerOpen: z
    .literal(true)
    .optional()
    .meta({ description: 'Too much failed, so only a few attempts are made now. Missing while all are made' }),
  latencyMs: z
    .object({ p50: z.number(), p95: z.number() })
    .optional()
    .meta({ description: 'Time from intake to the answer of the destination, accurate to a fifth' }),
});
export type DeliveryCounters = z.output<typeof DeliveryCounters>;

/** Counters per destination. Destinations without events in that time are left out. */
export const CountDeliveries = defineCall({
  subject: 'delivery.count.v1',
  request: z.object({
    workspaceId: Ksuid,
    destinationId: Ksuid.optional(),
    hours: z.int().min(1).max(DELIVERY_HOURS_MAX),
    /** The last destination of the previous page. */
    after: Ksuid.optional(),
  }),
  reply: z.object({ counters: z.array(DeliveryCounters), next: Ksuid.optional() }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, hours: 24 },
    reply: {
      counters: [
        {
          ...{
            destinationId: ID,
            accepted: 10,
            transformed: 8,
            droppedByCode: 2,
            failedInCode: 1,
            filtered: 0,
            suppressed: 0,
            dropped: 0,
          },
          ...{ delivered: 7, failed: 3, dead: 1, inRetry: 0, latencyMs: { p50: 43, p95: 129 } },
        },
      ],
    },
  },
});

/** Outcomes of one hour, at one destination or at all. Hours without events are left out. */
export const DeliveryHour = z.object({
  hour: Timestamp.meta({ description: 'Start of the hour' }),
  accepted: z.int(),
  delivered: z.int(),
  failed: z.int().meta({ description: 'Failed attempts' }),
  dead: z.int().meta({ description: 'Dead letters that were not sent again' }),
});
export type DeliveryHour = z.output<typeof DeliveryHour>;

/** The hours of a workspace, oldest first. */
export const ListDeliveryHours = defineCall({
  subject: 'delivery.hours.v1',
  request: z.object({
    workspaceId: Ksuid,
    destinationId: Ksuid.optional(),
    hours: z.int().min(1).max(DELIVERY_HOURS_MAX),
  }),
  reply: z.object({ hours: z.array(DeliveryHour).max(DELIVERY_HOURS_MAX + 1) }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, hours: 24 },
    reply: { hours: [{ hour: '2026-01-01T00:00:00.000Z', accepted: 10, delivered: 7, failed: 3, dead: 1 }] },
  },
});

/** Lists the code that each deliverer last ran for a destination, newest first. Proves what is live. Kept for a day. */
export const ListUsedVersions = defineCall({
  subject: 'delivery.destination.used-versions.v1',
  request: z.object({ workspaceId: Ksuid, destinationId: Ksuid }),
  reply: z.object({
    deliverers: z.array(z.object({ deliverer: z.string(), versionId: Ksuid, lastUsedAt: Timestamp })),
  }),
  deadlineMs: 2_000,
  example: {
    request: { workspaceId: WORKSPACE, destinationId: ID },
    reply: { deliverers: [{ deliverer: 'host/17', versionId: ID, lastUsedAt: '2026-01-01T00:00:00.000Z' }] },
  },
});
