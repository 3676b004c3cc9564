import {
  type DeletionStatus,
  isAppError,
  PurgeDeliveryUsers,
  PurgeRunnerUsers,
  PurgeSchemaUsers,
} from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import { isEgressError } from '@weir/egress';

/**
 * Purges of the data that Weir itself keeps of users, by the name listed beside the destinations. Test runs and dead letters share
 * a name, because one service once kept both.
 */
export const INTERNAL_PURGES = {
  'internal:schema': [PurgeSchemaUsers],
  'internal:runner': [PurgeRunnerUsers, PurgeDeliveryUsers],
} as const;
export type InternalPurge = keyof typeof INTERNAL_PURGES;

/** Says what each of them removes, for people. */
export const INTERNAL_NAMES: Record<InternalPurge, string> = {
  'internal:schema': 'Sampled events and frequent values that Weir keeps',
  'internal:runner': 'Test runs and dead letters that Weir keeps',
};

/** Reason of a destination whose kind has no deletion. */
export const CANNOT_DELETE = 'this kind of destination cannot delete: delete the users there by hand';

/** The `type` of an internal task. */
export const INTERNAL = 'INTERNAL';

export const isInternal = (destinationId: string): destinationId is InternalPurge => destinationId in INTERNAL_PURGES;

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 3_600_000;
/** Longest `Retry-After` that is honoured. A destination that asks for more is tried again after a day. */
const RETRY_AFTER_MS_MAX = 86_400_000;
/** A task that keeps failing for this long is given up. Privacy laws allow one month for a deletion. */
const RETRY_BUDGET_MS = 30 * 86_400_000;
/** Delay before checks with the vendor. Vendors' jobs take minutes at least and mostly days, and each check costs a call. */
const CHECK_MS_MIN = 60_000;
const CHECK_MS_MAX = 6 * 3_600_000;
/** How long a vendor is checked. Vendors promise a month at most. */
const CHECK_BUDGET_MS = 60 * 86_400_000;

/** State of a task after an attempt or a check. */
export interface TaskState {
  status: DeletionStatus;
  /** Why the task is not complete. Never contains an identifier. */
  reason: string | null;
  /** Delay until the next attempt or check. Null if there is none. */
  dueInMs: number | null;
  /** Identifies a forwarded deletion when the vendor is asked for its outcome. */
  jobReference: string | null;
}

export interface Attempt {
  /** Including the one that has just ended. */
  attempts: number;
  /** Time since the regulation was created. */
  ageMs: number;
}

export interface Check {
  /** Including the one that has just ended. */
  checks: number;
  /** Time since the vendor accepted the deletion. */
  forwardedForMs: number;
  jobReference: string;
}

const over = (outcome: DeletionOutcome): TaskState => ({
  ...{ status: outcome.status, reason: outcome.reason ?? null },
  ...{ dueInMs: null, jobReference: null },
});

/**
 * `failed` means that a retry is due. `forwarded` with a job reference means that the vendor will be asked. Any other status
 * ends the task.
 */
export function afterAttempt(outcome: DeletionOutcome, attempt: Attempt, random = Math.random): TaskState {
  if (outcome.status === 'forwarded' && outcome.jobReference !== undefined) {
    return { ...over(outcome), dueInMs: CHECK_MS_MIN, jobReference: outcome.jobReference };
  }
  if (outcome.status !== 'failed') return over(outcome);
  const { reason, retryAfterMs } = outcome;
  const dueInMs = notBefore(spread(doubled(RETRY_MS_MIN, attempt.attempts, RETRY_MS_MAX), random), retryAfterMs);
  if (attempt.ageMs + dueInMs > RETRY_BUDGET_MS) {
    return over({ status: 'aborted', reason: `given up after 30 days: ${reason}` });
  }
  return { ...over(outcome), dueInMs };
}

/** The deletion stays with the vendor until the vendor reports an end. A failed check changes only the reason. */
export function afterCheck(outcome: DeletionOutcome, check: Check, random = Math.random): TaskState {
  if (outcome.status !== 'forwarded' && outcome.status !== 'failed') return over(outcome);
  const forwarded = over({ status: 'forwarded', ...(outcome.reason !== undefined && { reason: outcome.reason }) });
  const retryAfterMs = outcome.status === 'failed' ? outcome.retryAfterMs : undefined;
  const dueInMs = notBefore(spread(doubled(CHECK_MS_MIN, check.checks, CHECK_MS_MAX), random), retryAfterMs);
  if (check.forwardedForMs + dueInMs > CHECK_BUDGET_MS) {
    return { ...forwarded, reason: 'the vendor has not confirmed the deletion within 60 days' };
  }
  return { ...forwarded, dueInMs, jobReference: check.jobReference };
}

const doubled = (first: number, times: number, longest: number) => Math.min(longest, first * 2 ** (times - 1));

/** The random half keeps tasks that failed together from being retried together. */
const spread = (ms: number, random: () => number) => Math.round(ms * (0.5 + random() / 2));

const notBefore = (ms: number, retryAfterMs = 0) => Math.max(ms, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));

export interface TaskStatus {
  destinationId: string;
  status: DeletionStatus;
}

/**
 * A single status for all tasks of a regulation. A destination that cannot delete never fails the rest. `partial` means that all
 * tasks ended, some with a deletion and some without.
 */
export function overallStatus(tasks: readonly TaskStatus[]): DeletionStatus | 'partial' {
  const asked = tasks.filter(({ status }) => status !== 'not_supported');
  const has = (...statuses: DeletionStatus[]) => asked.some(({ status }) => statuses.includes(status));
  const [first] = asked;
  if (!first) return 'not_supported';
  if (has('running') || (has('pending') && has('failed', 'forwarded', 'complete', 'aborted'))) return 'running';
  if (has('pending')) return 'pending';
  if (has('failed')) return 'failed';
  const isUndone = has('aborted', 'canceled');
  if (isUndone) return has('complete', 'forwarded') ? 'partial' : has('aborted') ? 'aborted' : 'canceled';
  const noneSupported = tasks.length > asked.length && asked.every(({ destinationId }) => isInternal(destinationId));
  return noneSupported ? 'not_supported' : has('forwarded') ? 'forwarded' : 'complete';
}

/**
 * Outcome of an attempt that threw. An unusable configuration is a failure too, because another configuration heals it. Other
 * errors may quote anything, so their messages are not passed on.
 */
export function outcomeOfError(error: unknown): DeletionOutcome {
  if (isEgressError(error)) {
    return { status: error.code === 'too_large' ? 'aborted' : 'failed', reason: error.message };
  }
  if (!isAppError(error)) return { status: 'failed', reason: 'the deletion failed unexpectedly' };
  return { status: error.code === 'unsupported' ? 'aborted' : 'failed', reason: error.message };
}
