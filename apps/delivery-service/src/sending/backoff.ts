import { setTimeout as delay } from 'node:timers/promises';
import type { Lease } from '@weir/messaging';

const FIRST_MS = 500;
const LONGEST_MS = 300_000;
/** Upper limit for a pause that a destination requests. */
const RETRY_AFTER_MAX_MS = 3_600_000;

/** Full jitter: a random delay below a ceiling that doubles, but never shorter than the destination requests. */
export function retryDelayMs(attempt: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20));
  return Math.max(Math.round(random() * ceiling), Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}

/** Repeats the work with backoff until it succeeds. Rejects when the signal aborts. */
export async function untilItWorks<T>(
  work: () => Promise<T>,
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: Error) => void },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      onFailure(error as Error);
      await sleep(Math.min(retryDelayMs(attempt), 10_000), signal);
    }
  }
}

/** Interval between checks of a lease that is not held. */
const LEASE_POLL_MS = 100;

/** Resolves once the lease is held. Rejects when the signal aborts, which also happens when the lease is lost. */
export async function untilHeld(lease: Lease, signal: AbortSignal): Promise<void> {
  while (!lease.isHeld) await sleep(LEASE_POLL_MS, signal);
}

export const sleep = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal });
