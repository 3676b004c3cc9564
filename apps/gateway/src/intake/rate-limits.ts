import type { SourceRecord } from '@weir/contracts';
import { LRUCache } from 'lru-cache';
import { HttpProblem } from '../http/status.js';
import { refusals } from './refusals.js';

/** Events and bytes that somebody sends, or may send in a second. */
export interface Amount {
  events: number;
  /** Bytes of the events, after decompression. */
  bytes: number;
}

/** `RateLimit-*` headers. */
export type RateLimitHeaders = Record<string, string>;

type Sender = Pick<SourceRecord, 'id' | 'workspaceId'>;

/** Buckets that are kept. A bucket that nobody used for long is full again, so forgetting it changes nothing. */
const BUCKETS_MAX = 100_000;

/**
 * Limits each source, and all sources of a workspace together, with a token bucket that holds one second of events and bytes and
 * refills steadily. A batch passes if anything is left and may overdraw the bucket, so even a huge batch passes eventually.
 */
export class RateLimits {
  private readonly buckets = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });

  constructor(private readonly perSecond: { source: Amount; workspace: Amount }) {}

  /** Throws a 429 if nothing is left, so that nobody reads a body for nothing. */
  check(sender: Sender, now = Date.now()): void {
    this.ready(sender, now);
  }

  /**
   * Returns the headers of the answer, which tell of the source's events alone. Throws a 429 with the headers of the bucket that is
   * empty.
   */
  spend(sender: Sender, amount: Amount, now = Date.now()): RateLimitHeaders {
    const [ofSource, ofWorkspace] = this.ready(sender, now);
    ofSource.spend(amount);
    ofWorkspace.spend(amount);
    return ofSource.headers();
  }

  /** The filled buckets of a sender that may send. */
  private ready({ id, workspaceId }: Sender, now: number): [ofSource: Bucket, ofWorkspace: Bucket] {
    const ofSource = this.filled(`source ${id}`, this.perSecond.source, now);
    const ofWorkspace = this.filled(`workspace ${workspaceId}`, this.perSecond.workspace, now);
    for (const bucket of [ofSource, ofWorkspace]) if (!bucket.hasLeft) throw tooMany(bucket);
    return [ofSource, ofWorkspace];
  }

  private filled(name: string, perSecond: Amount, now: number): Bucket {
    const bucket = this.buckets.get(name) ?? new Bucket(perSecond, now);
    this.buckets.set(name, bucket);
    bucket.fill(now);
    return bucket;
  }
}

function tooMany(bucket: Bucket): HttpProblem {
  const { message } = refusals.tooManyRequests();
  return new HttpProblem(429, 'TOO_MANY_REQUESTS', message, { ...bucket.headers(), 'retry-after': bucket.reset });
}

class Bucket {
  /** Negative after a batch overdraws the bucket. */
  private readonly left: Amount;

  /** @param at milliseconds since the epoch */
  constructor(
    private readonly perSecond: Amount,
    private at: number,
  ) {
    this.left = { ...perSecond };
  }

  get hasLeft(): boolean {
    return this.left.events > 0 && this.left.bytes > 0;
  }

  /** Whole seconds until its owner may send again. */
  get reset(): string {
    const { events, bytes } = this.perSecond;
    return String(Math.max(1, Math.ceil(-this.left.events / events), Math.ceil(-this.left.bytes / bytes)));
  }

  fill(now: number): void {
    const { events, bytes } = this.perSecond;
    const seconds = Math.max(0, now - this.at) / 1_000;
    this.left.events = Math.min(events, this.left.events + seconds * events);
    this.left.bytes = Math.min(bytes, this.left.bytes + seconds * bytes);
    this.at = now;
  }

  spend({ events, bytes }: Amount): void {
    this.left.events -= events;
    this.left.bytes -= bytes;
  }

  headers(): RateLimitHeaders {
    const { events } = this.perSecond;
    return {
      'ratelimit-limit': String(events),
      'ratelimit-remaining': String(Math.max(0, Math.floor(this.left.events))),
      'ratelimit-reset': this.reset,
      'ratelimit-policy': `${events};w=1`,
    };
  }
}
