import type { SourceRecord } from '@weir/contracts';
import { HttpProblem } from '../http/status.js';
import { refusals } from './refusals.js';

interface Bucket {
  /** Events that the source may still send. Negative after a batch overdraws the bucket. */
  left: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** `RateLimit-*` headers. */
export type RateLimitHeaders = Record<string, string>;

/**
 * Limits each source with a token bucket that holds one second of events and refills steadily. A batch passes if anything is left
 * and may overdraw the bucket, so even a huge batch passes eventually. A bucket lives as long as its source record.
 */
export class SourceRateLimits {
  private readonly buckets = new WeakMap<SourceRecord, Bucket>();

  constructor(private readonly perSecond: number) {}

  /** Returns the headers of the answer. Throws a 429 with the same headers if nothing is left. */
  spend(source: SourceRecord, events: number, now = Date.now()): RateLimitHeaders {
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

  private headers(bucket: Bucket): RateLimitHeaders {
    return {
      'ratelimit-limit': String(this.perSecond),
      'ratelimit-remaining': String(Math.max(0, Math.floor(bucket.left))),
      'ratelimit-reset': this.resetOf(bucket),
      'ratelimit-policy': `${this.perSecond};w=1`,
    };
  }

  /** Whole seconds until the source may send again. */
  private resetOf({ left }: Bucket): string {
    return String(Math.max(1, Math.ceil(-left / this.perSecond)));
  }
}
