import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Coalesced } from './coalesced.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('Coalesced', () => {
  it('gives every caller a run that began after it asked, however many ask', async () => {
    let begun = 0;
    const finish: (() => void)[] = [];
    const work = new Coalesced(() => {
      begun += 1;
      return new Promise((done) => finish.push(done));
    }, 5);
    const first = work.run();
    await Promise.resolve();
    const later = [work.run(), work.run(), work.run()];
    await Promise.resolve();
    expect(begun).toBe(1);
    finish.shift()?.();
    await first;
    await jest.advanceTimersByTimeAsync(4);
    expect(begun).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toBe(2);
    finish.shift()?.();
    await Promise.all(later);
  });

  it('tries again after a failure, and only the callers of that run learn of it', async () => {
    let fails = true;
    const work = new Coalesced(async () => {
      if (fails) throw new Error('away');
    }, 5);
    await expect(work.run()).rejects.toThrow('away');
    fails = false;
    const next = work.run();
    await jest.advanceTimersByTimeAsync(5);
    await expect(next).resolves.toBeUndefined();
  });
});
