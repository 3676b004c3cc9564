import type { DeletionStatus } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 3_600_000;
/** A destination that asks for more than a day is asked again after a day all the same. */
const RETRY_AFTER_MS_MAX = 86_400_000;
/** A task that does not succeed for so long is given up: the month that privacy laws leave for a deletion. */
const RETRY_BUDGET_MS = 30 * 86_400_000;
/** Vendors' jobs take minutes at least and mostly days; asking costs a call each. */
const CHECK_MS_MIN = 60_000;
const CHECK_MS_MAX = 6 * 3_600_000;
/** Vendors promise a month at the longest; afterwards nobody asks any more. */
const CHECK_BUDGET_MS = 60 * 86_400_000;

/** What a task is after an attempt. */
export interface TaskState {
  status: DeletionStatus;
  /** Why it is not complete; never holds an identifier. */
  reason: string | null;
  /** When it is tried, or its vendor asked, again; null: that was the last time. */
  dueInMs: number | null;
  /** With which the vendor is asked what became of a forwarded deletion. */
  receipt: string | null;
}

export interface Attempt {
  /** Including the one that has just ended. */
  attempts: number;
  /** Since the regulation was made. */
  ageMs: number;
}

export interface Check {
  /** Including the one that has just ended. */
  checks: number;
  /** Since the vendor took the deletion on. */
  forwardedForMs: number;
  receipt: string;
}

const over = (outcome: DeletionOutcome): TaskState => ({
  ...{ status: outcome.status, reason: outcome.reason ?? null },
  ...{ dueInMs: null, receipt: null },
});

/** `failed` means that a retry is due, and `forwarded` with a receipt that the vendor is asked; all else ends the task. */
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

/** The vendor has the deletion in hand until it says otherwise: a question that fails changes nothing but its reason. */
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

/** The random half keeps tasks that failed together from coming back together. */
const spread = (ms: number, random: () => number) => Math.round(ms * (0.5 + random() / 2));

const notBefore = (ms: number, retryAfterMs = 0) => Math.max(ms, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
