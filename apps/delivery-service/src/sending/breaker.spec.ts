import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Breaker } from './breaker.js';

const PATIENT = 3_600_000;
let breaker: Breaker;
let stop: AbortController;

beforeEach(() => {
  jest.useFakeTimers();
  breaker = new Breaker(() => 1);
  stop = new AbortController();
});
afterEach(() => {
  jest.useRealTimers();
});

const pass = (patienceMs = PATIENT) => breaker.pass(patienceMs, stop.signal);
const fail = (times: number) => {
  for (let n = 0; n < times; n += 1) breaker.failed('free');
};
/** Starts `count` passes without waiting for them, and lists them in the order in which they pass. */
function passing(count: number): string[] {
  const passed: string[] = [];
  for (let n = 0; n < count; n += 1) void pass().then((one) => passed.push(one));
  return passed;
}

describe('Breaker', () => {
  it('lets everything pass while failures are few or not in a row', async () => {
    for (let n = 0; n < 5; n += 1) {
      fail(9);
      breaker.succeeded();
    }
    expect(await pass()).toBe('free');
  });

  it('opens after ten failures in a row; one attempt decides, and the pauses grow', async () => {
    fail(10);
    const passed = passing(3);
    await jest.advanceTimersByTimeAsync(499);
    expect(passed).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(passed).toEqual(['probe']);
    breaker.failed('probe');
    await jest.advanceTimersByTimeAsync(999);
    expect(passed).toEqual(['probe']);
    await jest.advanceTimersByTimeAsync(1);
    expect(passed).toEqual(['probe', 'probe']);
    breaker.succeeded();
    await jest.advanceTimersByTimeAsync(0);
    expect(passed).toEqual(['probe', 'probe', 'free']);
  });

  it('never pauses for more than a minute', async () => {
    fail(10);
    for (let n = 0; n < 20; n += 1) {
      const probe = pass();
      await jest.advanceTimersByTimeAsync(60_000);
      expect(await probe).toBe('probe');
      breaker.failed('probe');
    }
  });

  it('leaves a destination alone for as long as it asks, at once', async () => {
    breaker.failed('free', 5_000);
    const passed = passing(2);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(passed).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(passed).toEqual(['probe']);
  });

  it('pauses no longer when the clock is set back meanwhile', async () => {
    breaker.failed('free', 5_000);
    const passed = passing(1);
    jest.setSystemTime(Date.now() - 3_600_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(passed).toEqual(['probe']);
  });

  it('takes late failures of before for nothing new', async () => {
    fail(10);
    fail(50);
    const passed = passing(1);
    await jest.advanceTimersByTimeAsync(500);
    expect(passed).toEqual(['probe']);
    breaker.failed('free');
    expect(passing(1)).toEqual([]);
    breaker.succeeded();
    expect(await pass()).toBe('free');
  });

  it('tries with another event when the first one said nothing', async () => {
    fail(10);
    const passed = passing(2);
    await jest.advanceTimersByTimeAsync(500);
    breaker.ended('probe');
    await jest.advanceTimersByTimeAsync(0);
    expect(passed).toEqual(['probe', 'probe']);
  });

  it('says when patience has ended, and ends with its worker', async () => {
    fail(10);
    const late = pass(100);
    await jest.advanceTimersByTimeAsync(100);
    expect(await late).toBe('late');
    expect(await pass(0)).toBe('late');
    const stopped = pass();
    stop.abort();
    await expect(stopped).rejects.toThrow();
    expect(jest.getTimerCount()).toBe(0);
  });
});
