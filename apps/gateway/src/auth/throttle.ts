import { Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { clientNetwork } from '../http/client-network.js';
import { tooManyFailures } from '../http/problem.js';
import { FailureCounts } from './failure-counts.js';

/** Failures of one credential from one network that are answered at once, in a minute. */
export const FAILURES_MAX = 10;
/** How long each further failure is held. */
export const DELAY_MS = 1_000;
/** Failures of one network in a minute, whatever the credentials: what comes beyond is somebody who tries. */
export const NETWORK_FAILURES_MAX = 300;
/** Answers held at a time; past that they are refused at once, so that an attacker cannot pile up connections. */
const HELD_MAX = 500;

/**
 * Slows secrets of 256 random bits that keep failing: tokens and write keys. Nobody can guess one, so valid ones never come here and never
 * wait for anybody; what people make up themselves is bounded by `admin-guesses.ts`.
 */
@Injectable()
export class AuthThrottle {
  private readonly failures = new FailureCounts();
  private held = 0;

  /** Settles when the failure of a token may be answered; throws 429 for a network that tries one after the other. */
  async slowToken(credential: string, address: string): Promise<void> {
    const { failures, secondsLeft } = this.failures.add('network', clientNetwork(address));
    if (failures > NETWORK_FAILURES_MAX) throw tooManyFailures(secondsLeft);
    await this.slow(credential, address);
  }

  /**
   * Settles when the failure may be answered; throws `rate_limited` when too many are waiting. A write key is public, and the clients of
   * one network have one address: they are not counted together.
   */
  async slow(credential: string, address: string): Promise<void> {
    const { failures } = this.failures.add('credential', clientNetwork(address), credential);
    if (failures <= FAILURES_MAX) return;
    if (this.held >= HELD_MAX) throw new AppError('rate_limited', 'Too many failed attempts; try again later');
    this.held += 1;
    await new Promise((done) => setTimeout(done, DELAY_MS));
    this.held -= 1;
  }
}
