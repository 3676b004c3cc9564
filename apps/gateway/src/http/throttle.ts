import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { clientNetwork } from './request.js';
import { tooManyFailures } from './status.js';

/** Failures count for this long after the first of them. */
export const WINDOW_MS = 60_000;
/**
 * A digest selects the counter, so memory is bounded and no counter displaces another. Keys that share a counter are slowed
 * together. The digest's key is random per process, so nobody can choose whose counter to share.
 */
const COUNTERS = 65_536;

interface Counted {
  failures: number;
  /** Time until the failures are forgotten, at least 1. */
  secondsLeft: number;
}

/** Counts failures in fixed windows, in a table of 768 KiB and without a timer. */
export class FailureCounts {
  private readonly key = randomBytes(32);
  private readonly failures = new Uint32Array(COUNTERS);
  private readonly startedAt = new Float64Array(COUNTERS).fill(Number.NEGATIVE_INFINITY);

  /** Adds a failure and returns the new count. */
  add(...by: string[]): Counted {
    return this.addMany(1, ...by);
  }

  /** Adds as much as a failure has cost. Adding nothing reads the count. */
  addMany(count: number, ...by: string[]): Counted {
    const counter = this.counterOf(by);
    const now = performance.now();
    if (now - this.at(counter) >= WINDOW_MS) {
      this.startedAt[counter] = now;
      this.failures[counter] = 0;
    }
    const failures = (this.failures[counter] ?? 0) + count;
    this.failures[counter] = failures;
    return { failures, secondsLeft: Math.max(1, Math.ceil((this.at(counter) + WINDOW_MS - now) / 1_000)) };
  }

  /** Removes a failure that turned out to be a success. */
  takeBack(...by: string[]): void {
    const counter = this.counterOf(by);
    this.failures[counter] = Math.max(0, (this.failures[counter] ?? 0) - 1);
  }

  /** Digests credentials, so that memory never holds them in clear text. */
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

/**
 * Bytes of a network's bodies per minute that are refused after they were read. A body without a key in a header has to be read first.
 * Pages with an old key send about a KiB each, so even many of them behind one address stay below this.
 */
export const KEYLESS_BYTES_MAX = 16_777_216;
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
  private readonly ofNetworks = new FailureCounts();
  /** A separate table, because a network with many credentials would otherwise share counters with itself. */
  private readonly ofCredentials = new FailureCounts();
  private readonly ofBodies = new FailureCounts();
  private held = 0;

  /** Throws 429 for a network whose refused bodies without a key in a header have cost too much. Comes before the next one is read. */
  checkKeyless(address: string): void {
    const { failures, secondsLeft } = this.ofBodies.addMany(0, clientNetwork(address));
    if (failures > KEYLESS_BYTES_MAX) throw tooManyFailures(secondsLeft);
  }

  /** Counts a body without a key in a header that was read and refused. */
  addKeyless(address: string, bytes: number): void {
    this.ofBodies.addMany(bytes, clientNetwork(address));
  }

  /** Resolves when a token's failure may be answered. Throws 429 for a network that tries many tokens. */
  async slowToken(credential: string, address: string): Promise<void> {
    const { failures, secondsLeft } = this.ofNetworks.add(clientNetwork(address));
    if (failures > NETWORK_FAILURES_MAX) throw tooManyFailures(secondsLeft);
    await this.slow(credential, address);
  }

  /**
   * Resolves when the failure may be answered. Throws `rate_limited` if too many are waiting. Counts each write key separately,
   * because keys are public and all clients of a network share an address.
   */
  async slow(credential: string, address: string): Promise<void> {
    const { failures } = this.ofCredentials.add(clientNetwork(address), credential);
    if (failures <= FAILURES_MAX) return;
    if (this.held >= HELD_MAX) throw new AppError('rate_limited', 'Too many failed attempts. Try again later');
    this.held += 1;
    await new Promise((done) => setTimeout(done, DELAY_MS));
    this.held -= 1;
  }
}
