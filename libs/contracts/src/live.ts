import { z } from 'zod';
import { Ksuid, Timestamp } from './ids.js';

/** The outcome of one event at one destination. Events that the filter stopped are `SuppressedEvents`. */
export const LiveOutcome = z.object({
  at: Timestamp,
  destinationId: Ksuid,
  sourceId: Ksuid,
  outcome: z.enum(['delivered', 'failed', 'dead', 'dropped_by_code', 'filtered']),
  messageId: z.string().optional(),
  type: z.string().optional(),
  name: z.string().optional(),
  attempts: z.int().optional().meta({ description: 'Only for failed attempts' }),
  responseStatus: z.int().optional(),
  reason: z.string().optional(),
});
export type LiveOutcome = z.output<typeof LiveOutcome>;

/** Recent outcomes of one workspace, sent over core NATS, so nobody must listen. `skipped` counts those beyond the limit. */
export const LiveOutcomes = z.object({ outcomes: z.array(LiveOutcome), skipped: z.int() });
export type LiveOutcomes = z.output<typeof LiveOutcomes>;

export const liveOutcomesSubject = (workspaceId: string) => `live.deliveries.${workspaceId}`;
/** Subject of accepted batches of a workspace, or of one of its sources, as they are written to their stream. */
export const liveAcceptedSubject = (workspaceId: string, sourceId = '*') =>
  `events.accepted.*.*.${workspaceId}.${sourceId}`;

/** An event that the filter stopped. Names its event but no user, so everybody of the workspace may see it. */
export const SuppressedEvent = z.object({
  sourceId: Ksuid,
  receivedAt: z.string(),
  messageId: z.string().optional(),
  type: z.string().optional(),
});
export type SuppressedEvent = z.output<typeof SuppressedEvent>;

/**
 * Events of one workspace that the filter stopped since its last message, sent over core NATS. `counts` has all of them by source.
 * `events` lists the first ones.
 */
export const SuppressedEvents = z.object({
  workspaceId: Ksuid,
  counts: z.array(z.object({ sourceId: Ksuid, events: z.int() })),
  events: z.array(SuppressedEvent),
});
export type SuppressedEvents = z.output<typeof SuppressedEvents>;

export const suppressedEventsSubject = (workspaceId: string) => `live.suppressed.${workspaceId}`;
