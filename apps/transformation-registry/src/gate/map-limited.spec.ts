import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { mapLimited } from './map-limited.js';

describe('mapLimited', () => {
  it('keeps the order and the limit', async () => {
    let running = 0;
    let most = 0;
    const work = async (n: number) => {
      running += 1;
      most = Math.max(most, running);
      await delay(5 - n);
      running -= 1;
      return n * 2;
    };
    expect(await mapLimited([1, 2, 3, 4, 5], 2, work)).toEqual([2, 4, 6, 8, 10]);
    expect(most).toBe(2);
  });

  it('starts nothing more after a failure', async () => {
    const started: number[] = [];
    const work = async (n: number) => {
      started.push(n);
      if (n === 1) throw new Error('no');
      await delay(5);
    };
    await expect(mapLimited([1, 2, 3, 4], 2, work)).rejects.toThrow('no');
    await delay(20);
    expect(started).toEqual([1, 2]);
  });
});
