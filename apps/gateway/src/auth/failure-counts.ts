import { createHmac, randomBytes } from 'node:crypto';

/** Failures are forgotten so long after the first of them. */
export const WINDOW_MS = 60_000;
/**
 * Counters are kept by a digest of what they count, so their number is bounded whatever is sent, and none of them is ever dropped for
 * another. Two that share one are slowed together; with the key of this process nobody can choose with whom.
 */
const COUNTERS = 65_536;

export interface Counted {
  failures: number;
  /** Until they are forgotten; at least 1. */
  secondsLeft: number;
}

/** Failures by whatever they are counted by, in fixed windows: a table of 768 KiB, and no timer. */
export class FailureCounts {
  private readonly key = randomBytes(32);
  private readonly failures = new Uint32Array(COUNTERS);
  private readonly startedAt = new Float64Array(COUNTERS).fill(Number.NEGATIVE_INFINITY);

  /** One more; answers how many that makes. */
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

  /** One that was added and is none. */
  takeBack(...by: string[]): void {
    const counter = this.counterOf(by);
    this.failures[counter] = Math.max(0, (this.failures[counter] ?? 0) - 1);
  }

  /** Of credentials, so that they are not kept in memory in clear. */
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
