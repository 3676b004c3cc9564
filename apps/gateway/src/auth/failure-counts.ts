import { createHmac, randomBytes } from 'node:crypto';

/** Failures count for this long after the first of them. */
export const WINDOW_MS = 60_000;
/**
 * A digest selects the counter, so memory is bounded and no counter displaces another. Keys that share a counter are slowed
 * together. The digest's key is random per process, so nobody can choose whose counter to share.
 */
const COUNTERS = 65_536;

export interface Counted {
  failures: number;
  /** Time until the failures are forgotten, at least 1. */
  secondsLeft: number;
}

/** Counts failures in fixed windows, in a table of 768 KiB and without a timer. */
export class FailureCounts {
  private readonly key = randomBytes(32);
  private readonly failures = new Uint32Array(COUNTERS);
  private readonly startedAt = new Float64Array(COUNTERS).fill(Number.NEGATIVE_INFINITY);

  /** Adds a failure and returns the new count. */
  add(...by: string[]): Counted {
    const counter = this.counterOf(by);
    const now = performance.now();
    if (now - this.at(counter) >= WINDOW_MS) {
      this.startedAt[counter] = now;
      this.failures[counter] = 0;
    }
    const failures = (this.failures[counter] ?? 0) + 1;
    this.failures[counter] = failures;
    return { failures, secondsLeft: Math.max(1, Math.ceil((this.at(counter) + WINDOW_MS - now) / 1_000)) };
  }

  /** Removes a failure that turned out to be a success. */
  takeBack(...by: string[]): void {
    const counter = this.counterOf(by);
    this.failures[counter] = Math.max(0, (this.failures[counter] ?? 0) - 1);
  }

  /** Digests credentials, so that memory never holds them in clear text. */
  digestOf(...parts: string[]): string {
    return this.hashed(parts).toString('base64');
  }

  private at(counter: number): number {
    return this.startedAt[counter] ?? Number.NEGATIVE_INFINITY;
  }

  private counterOf(by: string[]): number {
    return this.hashed(by).readUInt32BE(0) % COUNTERS;
  }

  private hashed(parts: string[]): Buffer {
    return createHmac('sha256', this.key).update(JSON.stringify(parts)).digest();
  }
}
