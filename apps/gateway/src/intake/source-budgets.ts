import type { SourceRecord } from '@weir/contracts';
import { HttpProblem } from '../http/problem.js';
import { refusals } from './refusals.js';

interface Bucket {
  /** Events that may come now; below zero, that came too many. */
  left: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** `RateLimit-*` headers. */
export type BudgetHeaders = Record<string, string>;

/**
 * What each source may send: a bucket of one second's events that fills steadily. A batch passes as long as anything is
 * left and may overdraw it, so that a batch of any size passes in the end. Buckets go with their sources' records.
 */
export class SourceBudgets {
  private readonly buckets = new WeakMap<SourceRecord, Bucket>();

  constructor(private readonly perSecond: number) {}

  /** Headers for the answer; throws the 429 with them when nothing is left. */
  spend(source: SourceRecord, events: number, now = Date.now()): BudgetHeaders {
    const bucket = this.filled(source, now);
    if (bucket.left <= 0) {
      const { message } = refusals.tooManyRequests();
      const headers = this.headers(bucket);
      throw new HttpProblem(429, 'TOO_MANY_REQUESTS', message, { ...headers, 'retry-after': this.resetOf(bucket) });
    }
    bucket.left -= events;
    return this.headers(bucket);
  }

  private filled(source: SourceRecord, now: number): Bucket {
    const bucket = this.buckets.get(source) ?? { left: this.perSecond, at: now };
    const since = Math.max(0, now - bucket.at);
    bucket.left = Math.min(this.perSecond, bucket.left + (since * this.perSecond) / 1_000);
    bucket.at = now;
    this.buckets.set(source, bucket);
    return bucket;
  }

  private headers(bucket: Bucket): BudgetHeaders {
    return {
      'ratelimit-limit': String(this.perSecond),
      'ratelimit-remaining': String(Math.max(0, Math.floor(bucket.left))),
      'ratelimit-reset': this.resetOf(bucket),
      'ratelimit-policy': `${this.perSecond};w=1`,
    };
  }

  /** Whole seconds until something is left again. */
  private resetOf({ left }: Bucket): string {
    return String(Math.max(1, Math.ceil(-left / this.perSecond)));
  }
}
