import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { allEnded } from './all-ended.js';

it('returns the results in order', async () => {
  expect(await allEnded([delay(5, 'late'), Promise.resolve('early')])).toEqual(['late', 'early']);
});

it('rejects with the first error in order, once all work has ended', async () => {
  const ended: string[] = [];
  const work = [
    delay(10).then(() => ended.push('slow')),
    delay(5).then(() => Promise.reject(new Error('first'))),
    Promise.reject(new Error('second')),
  ];
  await expect(allEnded<unknown>(work)).rejects.toThrow('first');
  expect(ended).toEqual(['slow']);
});
