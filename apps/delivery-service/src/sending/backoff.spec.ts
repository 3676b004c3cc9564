import { describe, expect, it } from '@jest/globals';
import { retryDelayMs, untilItWorks } from './backoff.js';

describe('retryDelayMs', () => {
  it.each([
    [1, 500],
    [2, 1_000],
    [5, 8_000],
    [10, 256_000],
    [11, 300_000],
    [5_000, 300_000],
  ])('attempt %i waits anything up to %i ms', (attempt, ceiling) => {
    expect(retryDelayMs(attempt, 0, () => 0)).toBe(0);
    expect(retryDelayMs(attempt, 0, () => 0.5)).toBe(ceiling / 2);
    expect(retryDelayMs(attempt, 0, () => 1)).toBe(ceiling);
  });

  it('waits as long as the destination asks, within reason', () => {
    expect(retryDelayMs(1, 7_000, () => 1)).toBe(7_000);
    expect(retryDelayMs(10, 7_000, () => 1)).toBe(256_000);
    expect(retryDelayMs(1, 86_400_000, () => 0)).toBe(3_600_000);
  });
});

describe('untilItWorks', () => {
  it('tries again and says what failed', async () => {
    const failures: string[] = [];
    let calls = 0;
    const work = async () => {
      calls += 1;
      if (calls < 3) throw new Error(`failure ${calls}`);
      return calls;
    };
    const signal = new AbortController().signal;
    expect(await untilItWorks(work, { signal, onFailure: ({ message }) => failures.push(message) })).toBe(3);
    expect(failures).toEqual(['failure 1', 'failure 2']);
  });

  it('ends when it is told to stop', async () => {
    const stopping = new AbortController();
    const work = () => Promise.reject(new Error('always'));
    const trying = untilItWorks(work, { signal: stopping.signal, onFailure: () => stopping.abort() });
    await expect(trying).rejects.toMatchObject({ name: 'AbortError' });
  });
});
