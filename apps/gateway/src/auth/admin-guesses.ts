import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { clientNetwork } from '../http/request.js';
import { tooManyFailures } from '../http/status.js';
import { FailureCounts } from '../http/throttle.js';

/** Wrong pairs per minute that one network may try. */
export const NETWORK_FAILURES_MAX = 10;
/** Wrong pairs per minute under one name, from all networks without a recent right pair. */
export const ACCOUNT_FAILURES_MAX = 100;
/** Wrong pairs per minute of a network with a recent right pair. People mistype, and scripts have old passwords. */
export const KNOWN_NETWORK_FAILURES_MAX = 100;
/**
 * Failures of such a network after which even its right pair must wait. Without this limit, a guesser there could recognise the
 * right pair forever.
 */
export const KNOWN_PAIR_FAILURES_MAX = 300;
/** How long a network stays known after the right pair came from it. */
const KNOWN_MS = 86_400_000;
/** Networks to remember. Only the right pair adds one, so nobody can displace others without it. */
const KNOWN_MAX = 1_000;

/** The facts of an attempt that count here. */
export interface Attempt {
  address: string;
  user: string;
  password: string;
}

/**
 * Bounds how many pairs of name and password callers can try, by network and by name. Over a limit it refuses pairs unchecked, so
 * the answer reveals nothing. `docs/decisions/0005-credential-guessing.md` explains why this locks nobody out.
 */
@Injectable()
export class AdminGuesses {
  private readonly failures = new FailureCounts();
  /** Digest of the right pair, by network. */
  private readonly known = new LRUCache<string, string>({ max: KNOWN_MAX, ttl: KNOWN_MS });

  /** Counts the attempt as a failure until `succeeded` is called. Throws 429 over a limit. */
  admit({ address, user, password }: Attempt): { succeeded(): void } {
    const network = clientNetwork(address);
    const pair = this.failures.digestOf('pair', user, password);
    const known = this.known.peek(network);
    const counted = this.failures.add('network', network);
    if (known !== undefined) {
      const most = known === pair ? KNOWN_PAIR_FAILURES_MAX : KNOWN_NETWORK_FAILURES_MAX;
      if (counted.failures > most) throw tooManyFailures(counted.secondsLeft);
    } else {
      if (counted.failures > NETWORK_FAILURES_MAX) throw tooManyFailures(counted.secondsLeft);
      const ofAccount = this.failures.add('account', user);
      if (ofAccount.failures > ACCOUNT_FAILURES_MAX) throw tooManyFailures(ofAccount.secondsLeft);
    }
    return {
      succeeded: () => {
        this.failures.takeBack('network', network);
        if (known === undefined) this.failures.takeBack('account', user);
        this.known.set(network, pair);
      },
    };
  }
}
