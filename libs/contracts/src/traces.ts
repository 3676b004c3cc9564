import { z } from 'zod';
import { defineCall } from './call.js';
import { DeadLetterStage } from './deliveries.js';
import { JsonObject, Ksuid, Timestamp } from './ids.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/** Days that traces are kept. Questions about an event come within days, and a trace costs as much as the event. */
export const TRACES_KEPT_DAYS = 7;
/** Bytes of traces that one workspace may add in a day. About 800,000 events with one destination. */
export const TRACES_WORKSPACE_DAY_BYTES = 1_073_741_824;
/** Traces per page of a list. Each may hold many steps, and a page is one message. */
export const TRACES_PAGE_SIZE = 20;
/** Bytes of the traces of one answer, as JSON. Leaves room for the rest of the message. */
export const TRACE_BYTES_MAX = 917_504;
/** Steps that one answer shows of an event. */
export const TRACE_STEPS_MAX = 200;

/**
 * Whether an event is traced when its source is sampled with this share (0 to 1). Depends on the message id alone (a hash), so every
 * process decides alike, and an event is traced as a whole or not at all.
 */
export function isTraced(messageId: unknown, share: number | undefined): messageId is string {
  if (typeof messageId !== 'string' || !share) return false;
  if (share >= 1) return true;
  let hash = 0x811c9dc5;
  for (let at = 0; at < messageId.length; at += 1) hash = Math.imul(hash ^ messageId.charCodeAt(at), 0x01000193);
  return mixed(hash) / 0x1_0000_0000 < share;
}

/** Spreads FNV-1a over all bits (MurmurHash3), because numbered ids differ in their last characters only. */
function mixed(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

/** One difference between an event and what user code made of it. */
export const TraceChange = z.object({
  op: z.enum(['add', 'remove', 'replace']),
  path: z.string().meta({ description: 'JSON Pointer into the event' }),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
});
export type TraceChange = z.output<typeof TraceChange>;

/** The result of user code for an event. */
export const TraceCode = z.object({
  result: z.enum(['none', 'unchanged', 'changed', 'not_compared', 'dropped', 'failed']).meta({
    description: '`none`: the destination has no transformation. `not_compared`: the event is too large to be compared',
  }),
  versionId: Ksuid.optional(),
  changes: z.array(TraceChange).optional().meta({ description: 'Values are for admin tokens only' }),
  moreChanges: z.int().optional().meta({ description: 'Differences that are not listed' }),
});
export type TraceCode = z.output<typeof TraceCode>;

/** A step of an event at one destination, at one time. */
export const TraceStep = z.object({
  at: Timestamp,
  step: z
    .enum(['delivered', 'failed', 'dead', 'filtered', 'dropped_by_code', 'dropped', 'suppressed', 'replayed'])
    .meta({ description: '`failed`: one attempt. `dropped`: the destination was disabled or deleted' }),
  output: z.int().optional().meta({ description: 'Position among the events that user code returned' }),
  code: TraceCode.optional(),
  payloads: z.array(z.unknown()).optional().meta({ description: 'Only for admin tokens. Secrets are masked as ***' }),
  attempt: z.int().optional(),
  responseStatus: z.int().optional(),
  reason: z.string().optional().meta({ description: 'Answer of the destination, or why nothing was sent' }),
  milliseconds: z.int().optional().meta({ description: 'Time from the begin of the attempt to the answer' }),
  nextAttemptAt: Timestamp.optional(),
  stage: DeadLetterStage.optional().meta({ description: 'Where a dead letter stopped' }),
  deliveryId: z.string().optional().meta({ description: 'Id of the dead letter, while it is kept' }),
  replay: z
    .object({ method: z.literal('POST'), path: z.string(), body: JsonObject })
    .optional()
    .meta({ description: 'The request that sends the dead letter again' }),
});
export type TraceStep = z.output<typeof TraceStep>;

/** Where an event stands at one destination. */
export const TraceStatus = z.enum([
  ...['connection_disabled', 'destination_disabled', 'under_way', 'retrying', 'delivered', 'dead', 'replayed'],
  ...['filtered', 'dropped_by_code', 'dropped', 'suppressed'],
] as const);
export type TraceStatus = z.output<typeof TraceStatus>;

export const TraceDestination = z.object({
  destinationId: Ksuid,
  status: TraceStatus,
  nextAttemptAt: Timestamp.optional().meta({ description: 'Only while the event is retried' }),
  steps: z.array(TraceStep).meta({ description: 'Oldest first' }),
});
export type TraceDestination = z.output<typeof TraceDestination>;

/** The life of one event, as far as it is kept. */
export const EventTrace = z.object({
  messageId: z.string().optional(),
  sourceId: Ksuid,
  eventType: z.string().optional(),
  eventName: z.string().optional(),
  receivedAt: Timestamp.optional(),
  bytes: z.int().optional().meta({ description: 'Size of the event as JSON' }),
  copies: z.int().optional().meta({ description: 'How often this message id was accepted, if more than once' }),
  status: z.enum(['suppressed', 'no_connection', 'routed', 'not_kept']).meta({
    description: '`suppressed`: a regulation stopped the event at the intake. `not_kept`: only later steps are kept',
  }),
  destinations: z.array(TraceDestination),
  sampling: z.object({
    share: z.number().meta({ description: 'Share of the events of the source that were traced at that time, 0 to 1' }),
    keptDays: z.int(),
  }),
  notKept: z.array(z.string()).meta({ description: 'Facts about this event that Weir does not know, and why' }),
});
export type EventTrace = z.output<typeof EventTrace>;

const exampleTrace = {
  ...{ messageId: 'm1', sourceId: ID, eventType: 'track', eventName: 'Bought', bytes: 311 },
  ...{ receivedAt: '2026-01-01T00:00:00.000Z', status: 'routed' as const },
  destinations: [
    {
      ...{ destinationId: ID, status: 'delivered' as const },
      steps: [{ at: '2026-01-01T00:00:01.000Z', step: 'delivered' as const, attempt: 1, responseStatus: 200 }],
    },
  ],
  ...{ sampling: { share: 1, keptDays: TRACES_KEPT_DAYS }, notKept: [] },
};

/** The life of one event of a workspace. Errors: `not_found` if nothing of it is kept. */
export const GetTrace = defineCall({
  subject: 'delivery.trace.get.v1',
  request: z.object({ workspaceId: Ksuid, messageId: Text.min(1) }),
  reply: z.object({ trace: EventTrace }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, messageId: 'm1' }, reply: { trace: exampleTrace } },
});

/** The traced events of a user, newest first. Finds no events of suppressed users. `invalid` for a malformed cursor. */
export const ListTraces = defineCall({
  subject: 'delivery.trace.list.v1',
  request: z.object({ workspaceId: Ksuid, userId: Text.min(1), cursor: Text.max(64).optional() }),
  reply: z.object({ traces: z.array(EventTrace), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, userId: 'u1' }, reply: { traces: [exampleTrace] } },
});
