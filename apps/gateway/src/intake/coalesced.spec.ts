import { describe, expect, it } from '@jest/globals';
import { Coalesced } from './coalesced.js';

describe('Coalesced', () => {
  it('gives every caller a run that began after it asked, however many ask', async () => {
    let begun = 0;
    const finish: (() => void)[] = [];
    const work = new Coalesced(() => {
      begun += 1;
      return new Promise((done) => finish.push(done));
    }, 0);
    const first = work.run();
    await Promise.resolve();
    const later = [work.run(), work.run(), work.run()];
    await Promise.resolve();
    expect(begun).toBe(1);
    finish.shift()?.();
    await first;
    await new Promise((done) => setTimeout(done, 5));
    expect(begun).toBe(2);
    finish.shift()?.();
    await Promise.all(later);
  });

  it('tries again after a failure, and only the callers of that run learn of it', async () => {
    let fails = true;
    const work = new Coalesced(async () => {
      if (fails) throw new Error('away');
    }, 0);
    await expect(work.run()).rejects.toThrow('away');
    fails = false;
    await expect(work.run()).resolves.toBeUndefined();
  });
});
