import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { allEnded, eachInTurn } from './all-ended.js';

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

it('each in turn: one that fails holds up no other, and the first error is told at the end', async () => {
  const done: number[] = [];
  const work = async (n: number) => {
    await delay(3 - n);
    if (n !== 1) throw new Error(`${n}`);
    done.push(n);
  };
  await expect(eachInTurn([0, 1, 2], work)).rejects.toThrow('0');
  expect(done).toEqual([1]);
});
