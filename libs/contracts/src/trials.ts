import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid, Timestamp } from './ids.js';
import { TRIAL_EVENTS } from './limits.js';
import { CodeReach } from './registry/requests.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const VERSION = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
const EARLIER = '0ujsszwN8NRY24YaXiTIE2VWDTS';
const AT = '2026-01-01T00:00:00.000Z';

/** How many trials of a transformation are shown, newest first. */
export const TRIALS_SHOWN_MAX = 20;

/** A new revision fails its trial at this share of failed first events. Null switches automatic rollback off. */
const ErrorRate = z.number().gt(0, 'must be more than 0').max(1).nullable();

/**
 * States of a trial:
 * - `running`: its first events are being counted
 * - `passed`: few enough of them failed
 * - `failed`: too many of them failed, and the rollback is about to start
 * - `rolledBack`: the previous revision is live again
 * - `kept`: it failed but stays live, for a `reason`
 * - `stopped`: a user decided first, by another publish, a deletion or the setting
 */
export const TrialState = z.enum(['running', 'passed', 'failed', 'rolledBack', 'kept', 'stopped']);
export type TrialState = z.output<typeof TrialState>;

/** Counts of a revision's first events. An event for two destinations runs twice and counts twice. */
export const Trial = z.object({
  versionId: Ksuid,
  previousVersionId: Ksuid.optional().meta({
    description: 'The version that was live before, and is live again after a rollback',
  }),
  state: TrialState,
  errorRate: z
    .number()
    .meta({ description: 'Error rate that triggers the rollback, as set when the version was published' }),
  events: z.int(),
  errors: z.int().meta({ description: 'Events that the code failed on' }),
  reason: z.string().optional().meta({ description: 'Why it was kept or stopped' }),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
});
export type Trial = z.output<typeof Trial>;

/** The setting of a transformation and its trials, newest first. */
export const AutoRollback = z.object({ errorRate: ErrorRate, trials: z.array(Trial).max(TRIALS_SHOWN_MAX) });
export type AutoRollback = z.output<typeof AutoRollback>;

const exampleRollback = {
  errorRate: 0.05,
  trials: [
    {
      ...{ versionId: VERSION, previousVersionId: EARLIER, state: 'rolledBack' as const, errorRate: 0.05 },
      ...{ events: 120, errors: 50, startedAt: AT, endedAt: AT },
    },
  ],
};

/** `not_found` if the transformation does not exist. */
export const GetAutoRollback = defineCall({
  subject: 'registry.transformation.get-auto-rollback.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid }),
  reply: AutoRollback,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID }, reply: exampleRollback },
});

/**
 * Applies to revisions published from now on. Null also stops the running trial. `not_found` if the transformation does not exist.
 */
export const SetAutoRollback = defineCall({
  subject: 'registry.transformation.set-auto-rollback.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid, errorRate: ErrorRate }),
  reply: AutoRollback,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID, errorRate: 0.05 }, reply: exampleRollback },
});

/**
 * Reports one deliverer's total so far. It is a total, so repeating a report changes nothing. A caller that gets `failed` asks
 * for the rollback with {@link RevertTrial}. `not_found` for a revision that was never on trial.
 */
export const ReportTrial = defineCall({
  subject: 'registry.trial.report.v1',
  request: z.object({
    workspaceId: Ksuid,
    versionId: Ksuid,
    /** Identifies the process until it ends. */
    deliverer: Ksuid,
    events: z.int().min(1).max(TRIAL_EVENTS),
    errors: z.int().min(0).max(TRIAL_EVENTS),
  }),
  reply: z.object({ state: TrialState }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, versionId: VERSION, deliverer: ID, events: 120, errors: 50 },
    reply: { state: 'failed' },
  },
});

/**
 * Publishes the revision before a failed one, with the tests of a publish. Only the first caller triggers it. Does nothing if the
 * revision has not failed or a user has replaced it. The call carries credentials and network access, like every publish.
 */
export const RevertTrial = defineCall({
  subject: 'registry.trial.revert.v1',
  request: z.object({ workspaceId: Ksuid, versionId: Ksuid, ...CodeReach.shape }),
  reply: z.object({ state: TrialState }),
  deadlineMs: 20_000,
  example: { request: { workspaceId: WORKSPACE, versionId: VERSION }, reply: { state: 'rolledBack' } },
});
