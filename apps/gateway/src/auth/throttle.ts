import { Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { clientNetwork } from '../http/client-network.js';
import { tooManyFailures } from '../http/problem.js';
import { FailureCounts } from './failure-counts.js';

/** Failures per minute of one credential from one network that get an immediate answer. */
export const FAILURES_MAX = 10;
/** Delay of each further failure. */
export const DELAY_MS = 1_000;
/** Failures of one network per minute, over all credentials. More than this means guessing. */
export const NETWORK_FAILURES_MAX = 300;
/** Answers delayed at a time. Refuses more at once, so that an attacker cannot pile up connections. */
const HELD_MAX = 500;

/**
 * Slows tokens and write keys that keep failing. Nobody can guess their random bits, so valid ones never come here and never
 * wait. `admin-guesses.ts` bounds guesses at passwords that people choose.
 */
@Injectable()
export class AuthThrottle {
  private readonly failures = new FailureCounts();
  private held = 0;

  /** Resolves when a token's failure may be answered. Throws 429 for a network that tries many tokens. */
  async slowToken(credential: string, address: string): Promise<void> {
    const { failures, secondsLeft } = this.failures.add('network', clientNetwork(address));
    if (failures > NETWORK_FAILURES_MAX) throw tooManyFailures(secondsLeft);
    await this.slow(credential, address);
  }

  /**
   * Resolves when the failure may be answered. Throws `rate_limited` if too many are waiting. Counts each write key separately,
   * because keys are public and all clients of a network share an address.
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
