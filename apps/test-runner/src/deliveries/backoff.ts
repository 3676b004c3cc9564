import { setTimeout as delay } from 'node:timers/promises';
import type { Lease } from '@weir/messaging';

const FIRST_MS = 500;
const LONGEST_MS = 300_000;
/** A destination may ask for more; it is asked again after this at the latest. */
const RETRY_AFTER_MAX_MS = 3_600_000;

/** Full jitter: anywhere between nothing and a ceiling that doubles, but never before the destination wants it. */
export function retryDelayMs(attempt: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20));
  return Math.max(Math.round(random() * ceiling), Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}

/** Repeats until it succeeds, with backoff. Rejects when the signal says stop. */
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

/** A lease that is not known to be held is asked again so soon. */
const LEASE_POLL_MS = 100;

/** Resolves while the lease is held, at once if it is. Rejects when the signal says stop, as it does once the lease is lost. */
export async function untilHeld(lease: Lease, signal: AbortSignal): Promise<void> {
  while (!lease.isHeld) await sleep(LEASE_POLL_MS, signal);
}

export const sleep = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal });
