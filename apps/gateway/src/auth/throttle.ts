import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Failures of one credential from one address that are answered at once, per window. */
export const FAILURES_MAX = 10;
const WINDOW_S = 60;
/** How long each further failure is held. */
export const DELAY_MS = 1_000;
/** Answers held at a time; past that they are refused at once, so that an attacker cannot pile up connections. */
const HELD_MAX = 500;
/** Counters are kept by bucket, so that their number is bounded whatever is sent. */
const BUCKETS = 65_536;

/** Slows credentials that keep failing. Valid ones never come here. */
@Injectable()
export class AuthThrottle {
  private readonly failures = new RateLimiterMemory({ points: FAILURES_MAX, duration: WINDOW_S });
  private held = 0;

  /** Settles when the failure may be answered; throws `rate_limited` when too many are waiting. */
  async slow(credential: string, address: string): Promise<void> {
    if (!(await this.isOverLimit(bucketOf(`${address} ${credential}`)))) return;
    if (this.held >= HELD_MAX) throw new AppError('rate_limited', 'Too many failed attempts; try again later');
    this.held += 1;
    await new Promise((done) => setTimeout(done, DELAY_MS));
    this.held -= 1;
  }

  private async isOverLimit(bucket: string): Promise<boolean> {
    try {
      await this.failures.consume(bucket);
      return false;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return true;
      throw refusal;
    }
  }
}

/** A digest, so that credentials are not kept in memory in clear. */
function bucketOf(text: string): string {
  return String(createHash('sha256').update(text).digest().readUInt32BE(0) % BUCKETS);
}
