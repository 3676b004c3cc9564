import { z } from 'zod';
import { Ksuid, Timestamp } from './ids.js';

/** What became of one event at one destination. Suppressed events never appear. */
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

/** Outcomes of one workspace over a moment, on core NATS: nobody has to listen. `skipped`: more than are shown. */
export const LiveOutcomes = z.object({ outcomes: z.array(LiveOutcome), skipped: z.int() });
export type LiveOutcomes = z.output<typeof LiveOutcomes>;

export const liveOutcomesSubject = (workspaceId: string) => `live.deliveries.${workspaceId}`;
/** Accepted batches of a workspace, or of one source of it, as they are written to their stream. */
export const liveAcceptedSubject = (workspaceId: string, sourceId = '*') =>
  `events.accepted.*.${workspaceId}.${sourceId}`;
