import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../http/client-network.js';
import { tooManyFailures } from '../http/problem.js';
import { FailureCounts } from './failure-counts.js';

/** Wrong pairs of one network that are looked at in a minute. */
export const NETWORK_FAILURES_MAX = 10;
/** Wrong pairs under one name, from all networks where the right pair was not seen lately. */
export const ACCOUNT_FAILURES_MAX = 100;
/** Wrong pairs of a network where the right one was seen lately: people mistype, and scripts have old passwords. */
export const KNOWN_NETWORK_FAILURES_MAX = 100;
/** So many does such a network make before its right pair has to wait as well: else it tells who guesses there what is right, for ever. */
export const KNOWN_PAIR_FAILURES_MAX = 300;
/** A network is known for so long after the right pair came from it. */
const KNOWN_MS = 86_400_000;
/** Networks that are remembered. Only the right pair makes one, so nobody can push others out without it. */
const KNOWN_MAX = 1_000;

/** Who asks, as far as it is of interest here. */
export interface Attempt {
  address: string;
  user: string;
  password: string;
}

/**
 * Bounds how many pairs of name and password can be tried: over the limit they are refused without a look at them, so the answer says
 * nothing. By the client's network and by the name; `docs/decisions/0005-credential-guessing.md` has why nobody is locked out by it.
 */
@Injectable()
export class AdminGuesses {
  private readonly failures = new FailureCounts();
  /** Digest of the right pair, and when it came, by network: the oldest first. */
  private readonly known = new Map<string, { pair: string; at: number }>();

  /** Counts the attempt as a failure until it is known to be right; throws 429 when it is one too many. */
  admit({ address, user, password }: Attempt): { succeeded(): void } {
    const network = clientNetwork(address);
    const pair = this.failures.digestOf('pair', user, password);
    const known = this.knownPair(network);
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
        this.remember(network, pair);
      },
    };
  }

  private knownPair(network: string): string | undefined {
    const known = this.known.get(network);
    return known && performance.now() - known.at < KNOWN_MS ? known.pair : undefined;
  }

  private remember(network: string, pair: string): void {
    this.known.delete(network);
    this.known.set(network, { pair, at: performance.now() });
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size > KNOWN_MAX) this.known.delete(oldest);
  }
}
