import type { DeletionStatus } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 3_600_000;
/** A destination that asks for more than a day is asked again after a day all the same. */
const RETRY_AFTER_MS_MAX = 86_400_000;
/** A task that does not succeed for so long is given up: the month that privacy laws leave for a deletion. */
const RETRY_BUDGET_MS = 30 * 86_400_000;

/** What a task is after an attempt. */
export interface TaskState {
  status: DeletionStatus;
  /** Why it is not complete; never holds an identifier. */
  reason: string | null;
  /** When it is tried again; null: it has ended. */
  dueInMs: number | null;
}

export interface Attempt {
  /** Including the one that has just ended. */
  attempts: number;
  /** Since the regulation was made. */
  ageMs: number;
}

/** `failed` means that a retry is due; every other outcome ends the task. */
export function afterAttempt(outcome: DeletionOutcome, { attempts, ageMs }: Attempt, random = Math.random): TaskState {
  if (outcome.status !== 'failed') {
    return { status: outcome.status, reason: 'reason' in outcome ? outcome.reason : null, dueInMs: null };
  }
  const dueInMs = Math.max(backoffMs(attempts, random), Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
  if (ageMs + dueInMs > RETRY_BUDGET_MS) {
    return { status: 'aborted', reason: `given up after 30 days: ${outcome.reason}`, dueInMs: null };
  }
  return { status: 'failed', reason: outcome.reason, dueInMs };
}

/** Doubles with each attempt; the random half keeps tasks that failed together from coming back together. */
function backoffMs(attempts: number, random: () => number): number {
  const longest = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (attempts - 1));
  return Math.round(longest * (0.5 + random() / 2));
}
