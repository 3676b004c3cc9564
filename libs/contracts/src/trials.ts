import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid, Timestamp } from './ids.js';
import { TRIAL_EVENTS } from './limits.js';
import { CodeReach } from './registry.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const VERSION = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
const EARLIER = '0ujsszwN8NRY24YaXiTIE2VWDTS';
const AT = '2026-01-01T00:00:00.000Z';

/** Trials that are shown of one transformation, the newest ones. */
export const TRIALS_SHOWN_MAX = 20;

/** The share of its first events that a new version may not fail on; null: nothing is rolled back. */
const ErrorRate = z.number().gt(0, 'must be more than 0').max(1).nullable();

/**
 * `running`: its first events are being counted. `passed`: they went well enough. `failed`: too many of them failed, and it is about
 * to be rolled back. `rolledBack`: the version before is live again. `kept`: it failed and is live all the same, for a `reason`.
 * `stopped`: a person decided first, by another publish, a deletion or the setting.
 */
export const TrialState = z.enum(['running', 'passed', 'failed', 'rolledBack', 'kept', 'stopped']);
export type TrialState = z.output<typeof TrialState>;

/** The first events of a version. An event that goes to two destinations runs twice and counts twice. */
export const Trial = z.object({
  versionId: Ksuid,
  previousVersionId: Ksuid.optional().meta({ description: 'Live until then, and again after a rollback' }),
  state: TrialState,
  errorRate: z.number().meta({ description: 'That may not be reached, as it was set when the version was published' }),
  events: z.int(),
  errors: z.int().meta({ description: 'Events that the code failed on' }),
  reason: z.string().optional().meta({ description: 'Why it was kept or stopped' }),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
});
export type Trial = z.output<typeof Trial>;

/** The setting of a transformation, and what came of it: newest trials first. */
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

/** `not_found` without the transformation. */
export const GetAutoRollback = defineCall({
  subject: 'registry.transformation.get-auto-rollback.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid }),
  reply: AutoRollback,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID }, reply: exampleRollback },
});

/** For versions that are published from now on; null also stops the trial that is running. `not_found` without it. */
export const SetAutoRollback = defineCall({
  subject: 'registry.transformation.set-auto-rollback.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid, errorRate: ErrorRate }),
  reply: AutoRollback,
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID, errorRate: 0.05 }, reply: exampleRollback },
});

/**
 * What one deliverer has counted so far: a total, so that a report that is repeated changes nothing. Whoever reads `failed` asks for
 * the rollback with {@link RevertTrial}. `not_found` for a version that never was on trial.
 */
export const ReportTrial = defineCall({
  subject: 'registry.trial.report.v1',
  request: z.object({
    workspaceId: Ksuid,
    versionId: Ksuid,
    /** Names the process for as long as it runs. */
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
 * Publishes the version before one that failed, through the tests of a publish; only the first of several callers does. Does nothing
 * to a version that has not failed or that a person has replaced. Credentials and network come with the call, as with every publish.
 */
export const RevertTrial = defineCall({
  subject: 'registry.trial.revert.v1',
  request: z.object({ workspaceId: Ksuid, versionId: Ksuid, ...CodeReach.shape }),
  reply: z.object({ state: TrialState }),
  deadlineMs: 20_000,
  example: { request: { workspaceId: WORKSPACE, versionId: VERSION }, reply: { state: 'rolledBack' } },
});
