import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuthThrottle, DELAY_MS, FAILURES_MAX, NETWORK_FAILURES_MAX } from './throttle.js';

const HELD_MAX = 500;

// Time stands still unless a test advances it.
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A failure and the state of its answer. */
function fail(throttle: AuthThrottle, credential = 'Basic x', address = '192.0.2.1') {
  const failure: { answer?: 'given' | { code: string } } = {};
  throttle.slow(credential, address).then(
    () => {
      failure.answer = 'given';
    },
    (refusal: { code: string }) => {
      failure.answer = { code: refusal.code };
    },
  );
  return failure;
}

const failures = (throttle: AuthThrottle, count: number) => Array.from({ length: count }, () => fail(throttle));
const passMs = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('AuthThrottle', () => {
  it('answers the first failures at once and holds the next', async () => {
    const throttle = new AuthThrottle();
    const first = failures(throttle, FAILURES_MAX);
    const next = fail(throttle);
    await passMs(0);
    expect(first).toEqual(Array(FAILURES_MAX).fill({ answer: 'given' }));
    await passMs(DELAY_MS - 1);
    expect(next).toEqual({});
    await passMs(1);
    expect(next).toEqual({ answer: 'given' });
  });

  it('does not hold another credential or another address', async () => {
    const throttle = new AuthThrottle();
    failures(throttle, FAILURES_MAX);
    const held = fail(throttle);
    const others = [fail(throttle, 'Basic y'), fail(throttle, 'Basic x', '192.0.2.2')];
    await passMs(0);
    expect([held, ...others]).toEqual([{}, { answer: 'given' }, { answer: 'given' }]);
  });

  it('refuses a network that tries one token after the other, and no other', async () => {
    const throttle = new AuthThrottle();
    for (let n = 0; n < NETWORK_FAILURES_MAX; n += 1) await throttle.slowToken(`Bearer ${n}`, '192.0.2.1');
    await expect(throttle.slowToken('Bearer next', '192.0.2.1')).rejects.toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    });
    await throttle.slowToken('Bearer next', '192.0.2.2');
  });

  it('refuses outright when too many are held', async () => {
    const throttle = new AuthThrottle();
    failures(throttle, FAILURES_MAX);
    const held = failures(throttle, HELD_MAX);
    const refused = fail(throttle);
    await passMs(0);
    expect([new Set(held.map(({ answer }) => answer)), refused]).toEqual([
      new Set([undefined]),
      { answer: { code: 'rate_limited' } },
    ]);
    await passMs(DELAY_MS);
    expect(held).toEqual(Array(HELD_MAX).fill({ answer: 'given' }));
  });
});
