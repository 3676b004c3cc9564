import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Shared } from './shared.js';

const PATIENCE_MS = 5_000;
let asked: { resolve: (answer: string) => void; reject: (error: Error) => void }[];
let shared: Shared<string>;
beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  shared = new Shared(() => new Promise((resolve, reject) => void asked.push({ resolve, reject })), PATIENCE_MS);
});
afterEach(() => void jest.useRealTimers());

it('asks once for all who wait, and again when the answer is a second old', async () => {
  const waiting = [shared.get(), shared.get()];
  await jest.advanceTimersByTimeAsync(3_000);
  waiting.push(shared.get());
  asked[0]?.resolve('first');
  expect(await Promise.all(waiting)).toEqual(['first', 'first', 'first']);
  await jest.advanceTimersByTimeAsync(900);
  expect(await shared.get()).toBe('first');
  await jest.advanceTimersByTimeAsync(200);
  const next = shared.get();
  asked[1]?.resolve('second');
  expect([await next, asked.length]).toEqual(['second', 2]);
});

it('shares a failure as long', async () => {
  const failed = expect(shared.get()).rejects.toThrow('away');
  asked[0]?.reject(new Error('away'));
  await failed;
  await expect(shared.get()).rejects.toThrow('away');
  await jest.advanceTimersByTimeAsync(1_100);
  void shared.get();
  expect(asked.length).toBe(2);
});

it('asks again when a question has had no answer for long', async () => {
  void shared.get();
  await jest.advanceTimersByTimeAsync(PATIENCE_MS + 1_100);
  void shared.get();
  expect(asked.length).toBe(2);
});
