import { z } from 'zod';
import { Ksuid, Timestamp } from './ids.js';

/** The outcome of one event at one destination. Suppressed events never appear. */
export const LiveOutcome = z.object({
  at: Timestamp,
  destinationId: Ksuid,
  sourceId: Ksuid,
  outcome: z.enum(['delivered', 'failed', 'dead', 'dropped_by_code', 'filtered']),
  messageId: z.string().optional(),
  type: z.string().optional(),
  name: z.string().optional(),
  attempts: z.int().optional().meta({ description: 'Of an attempt that failed' }),
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
  `events.accepted.*.${workspaceId}.${sourceId}`;
