import { expect, it } from '@jest/globals';
import { TestTrace } from './test-trace.js';

it('counts the time of each stage that ran, also of one that failed', async () => {
  const record = new TestTrace();
  expect(await record.time('dest_transform', () => 7)).toBe(7);
  await expect(record.time('user_transform', () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
  expect(record.details.milliseconds).toEqual({
    dest_transform: expect.any(Number),
    user_transform: expect.any(Number),
    total: expect.any(Number),
  });
});

it('keeps what was logged, in order and within bounds', () => {
  const record = new TestTrace();
  record.note({ logs: ['a', 'b'] });
  record.note({ logs: ['x'.repeat(65_531), 'too much', 'never seen'] });
  record.note({ logs: ['nor this'] });
  expect(record.details.logs).toEqual(['a', 'b', 'x'.repeat(65_531), '… more was written']);
});

it('keeps whom the code called, within bounds', () => {
  const record = new TestTrace();
  expect(record.details).not.toHaveProperty('fetches');
  const call = (n: number) => ({ method: 'GET', url: `https://example.com/${n}`, status: 200, milliseconds: 1 });
  record.note({ logs: [], fetches: Array.from({ length: 60 }, (_, n) => call(n)) });
  record.note({ logs: [], fetches: Array.from({ length: 60 }, (_, n) => call(60 + n)) });
  expect(record.details.fetches).toEqual(Array.from({ length: 100 }, (_, n) => call(n)));
});
