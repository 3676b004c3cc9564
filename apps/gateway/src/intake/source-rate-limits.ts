import type { SourceRecord } from '@weir/contracts';
import { HttpProblem } from '../http/status.js';
import { refusals } from './refusals.js';

/** Events and bytes that a source sends, or may send in a second. */
export interface Amount {
  events: number;
  /** Bytes of the events, after decompression. */
  bytes: number;
}

interface Bucket {
  /** Events and bytes that the source may still send. Negative after a batch overdraws the bucket. */
  left: Amount;
  /** Milliseconds since the epoch. */
  at: number;
}

/** `RateLimit-*` headers. */
export type RateLimitHeaders = Record<string, string>;

/**
 * Limits each source with a token bucket that holds one second of events and bytes, and refills steadily. A batch passes if anything
 * is left and may overdraw the bucket, so even a huge batch passes eventually. A bucket lives as long as its source record.
 */
export class SourceRateLimits {
  private readonly buckets = new WeakMap<SourceRecord, Bucket>();

  constructor(private readonly perSecond: Amount) {}

  /** Throws a 429 if nothing is left, so that nobody reads a body for nothing. */
  check(source: SourceRecord, now = Date.now()): void {
    this.ready(source, now);
  }

  /** Returns the headers of the answer, which tell of events alone. Throws a 429 with the same headers if nothing is left. */
  spend(source: SourceRecord, { events, bytes }: Amount, now = Date.now()): RateLimitHeaders {
    const bucket = this.ready(source, now);
    bucket.left.events -= events;
    bucket.left.bytes -= bytes;
    return this.headers(bucket);
  }

  private ready(source: SourceRecord, now: number): Bucket {
    const bucket = this.filled(source, now);
    if (bucket.left.events > 0 && bucket.left.bytes > 0) return bucket;
    const { message } = refusals.tooManyRequests();
    const headers = { ...this.headers(bucket), 'retry-after': this.resetOf(bucket) };
    throw new HttpProblem(429, 'TOO_MANY_REQUESTS', message, headers);
  }

  private filled(source: SourceRecord, now: number): Bucket {
    const { events, bytes } = this.perSecond;
    const bucket = this.buckets.get(source) ?? { left: { events, bytes }, at: now };
    const seconds = Math.max(0, now - bucket.at) / 1_000;
    bucket.left.events = Math.min(events, bucket.left.events + seconds * events);
    bucket.left.bytes = Math.min(bytes, bucket.left.bytes + seconds * bytes);
    bucket.at = now;
    this.buckets.set(source, bucket);
    return bucket;
  }

  private headers(bucket: Bucket): RateLimitHeaders {
    const { events } = this.perSecond;
    return {
      'ratelimit-limit': String(events),
      'ratelimit-remaining': String(Math.max(0, Math.floor(bucket.left.events))),
      'ratelimit-reset': this.resetOf(bucket),
      'ratelimit-policy': `${events};w=1`,
    };
  }

  /** Whole seconds until the source may send again. */
  private resetOf({ left }: Bucket): string {
    const { events, bytes } = this.perSecond;
    return String(Math.max(1, Math.ceil(-left.events / events), Math.ceil(-left.bytes / bytes)));
  }
}
