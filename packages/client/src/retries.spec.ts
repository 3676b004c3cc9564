import { expect, it } from '@jest/globals';
import { pause, retryAfterMs } from './retries.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

it.each([
  ['2', 2_000],
  ['Thu, 01 Jan 2026 00:00:03 GMT', 3_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  [null, undefined],
])('reads Retry-After %p', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

it('a pause ends with its signal', async () => {
  const leaving = new AbortController();
  const waiting = pause(3_600_000, leaving.signal);
  leaving.abort('left');
  await expect(waiting).rejects.toBe('left');
  await expect(pause(0, leaving.signal)).rejects.toBe('left');
});
