import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WINDOW_MS } from '../http/throttle.js';
import {
  ACCOUNT_FAILURES_MAX,
  AdminGuesses,
  KNOWN_NETWORK_FAILURES_MAX,
  KNOWN_PAIR_FAILURES_MAX,
  NETWORK_FAILURES_MAX,
} from './admin-guesses.js';

const RIGHT = 'the right password';
const HOME = '192.0.2.1';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** The status that an attempt gets. */
function tried(guesses: AdminGuesses, password: string, address = HOME, user = 'operator') {
  try {
    const attempt = guesses.admit({ address, user, password });
    if (password !== RIGHT) return 401;
    attempt.succeeded();
    return 200;
  } catch (refusal) {
    return (refusal as { status: number }).status;
  }
}
/** How many of `count` different passwords were checked. */
const lookedAt = (guesses: AdminGuesses, count: number, addressOf = (_n: number) => HOME) =>
  Array.from({ length: count }, (_, n) => tried(guesses, `guess ${n}`, addressOf(n))).filter((status) => status !== 429)
    .length;
const manyNetworks = (n: number) => `198.51.${Math.floor(n / 250)}.${n % 250}`;

describe('AdminGuesses', () => {
  it('looks at few passwords of a network, however many it tries', () => {
    const guesses = new AdminGuesses();
    expect(lookedAt(guesses, 200)).toBe(NETWORK_FAILURES_MAX);
    expect(tried(guesses, RIGHT)).toBe(429);
  });

  it('says when it will look again, and does', () => {
    const guesses = new AdminGuesses();
    lookedAt(guesses, 200);
    jest.advanceTimersByTime(WINDOW_MS - 1_500);
    expect(() => guesses.admit({ address: HOME, user: 'operator', password: RIGHT })).toThrow(
      expect.objectContaining({ status: 429, headers: { 'retry-after': '2' } }),
    );
    jest.advanceTimersByTime(1_500);
    expect(tried(guesses, RIGHT)).toBe(200);
  });

  it('takes a network of IPv6 as one, and names of accounts for nothing new', () => {
    const guesses = new AdminGuesses();
    expect(lookedAt(guesses, 200, (n) => `2001:db8::${n.toString(16)}`)).toBe(NETWORK_FAILURES_MAX);
    for (let n = 0; n < NETWORK_FAILURES_MAX; n += 1) tried(guesses, 'x', HOME, `name ${n}`);
    expect(tried(guesses, RIGHT)).toBe(429);
  });

  it('looks at few passwords of an account, however many networks try', () => {
    const guesses = new AdminGuesses();
    expect(lookedAt(guesses, 2_000, manyNetworks)).toBe(ACCOUNT_FAILURES_MAX);
  });

  it('does not lock out the network from which the right pair came', () => {
    const guesses = new AdminGuesses();
    expect(tried(guesses, RIGHT)).toBe(200);
    lookedAt(guesses, 2_000, manyNetworks);
    expect([tried(guesses, RIGHT), tried(guesses, RIGHT, '203.0.113.9')]).toEqual([200, 429]);
  });

  it('keeps admitting the right pair from an address that somebody else guesses from, up to a flood', () => {
    const guesses = new AdminGuesses();
    expect(tried(guesses, RIGHT)).toBe(200);
    expect(lookedAt(guesses, KNOWN_PAIR_FAILURES_MAX - 1)).toBe(KNOWN_NETWORK_FAILURES_MAX);
    expect(tried(guesses, RIGHT)).toBe(200);
    lookedAt(guesses, 1);
    expect(tried(guesses, RIGHT)).toBe(429);
    jest.advanceTimersByTime(WINDOW_MS);
    expect(tried(guesses, RIGHT)).toBe(200);
  });

  it('does not count right pairs as failures', () => {
    const guesses = new AdminGuesses();
    const answers = Array.from({ length: 1_000 }, () => tried(guesses, RIGHT));
    expect(new Set(answers)).toEqual(new Set([200]));
  });
});
