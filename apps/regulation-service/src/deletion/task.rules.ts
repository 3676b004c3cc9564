import type { DeletionStatus } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';

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
  receipt: string | null;
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
  receipt: string;
}

const over = (outcome: DeletionOutcome): TaskState => ({
  ...{ status: outcome.status, reason: outcome.reason ?? null },
  ...{ dueInMs: null, receipt: null },
});

/**
 * `failed` means that a retry is due. `forwarded` with a receipt means that the vendor will be asked. Any other status ends the
 * task.
 */
export function afterAttempt(outcome: DeletionOutcome, attempt: Attempt, random = Math.random): TaskState {
  if (outcome.status === 'forwarded' && outcome.receipt !== undefined) {
    return { ...over(outcome), dueInMs: CHECK_MS_MIN, receipt: outcome.receipt };
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
    return { ...forwarded, reason: 'the vendor has not said within 60 days that it is done' };
  }
  return { ...forwarded, dueInMs, receipt: check.receipt };
}

const doubled = (first: number, times: number, longest: number) => Math.min(longest, first * 2 ** (times - 1));

/** The random half keeps tasks that failed together from being retried together. */
const spread = (ms: number, random: () => number) => Math.round(ms * (0.5 + random() / 2));

const notBefore = (ms: number, retryAfterMs = 0) => Math.max(ms, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
