import { expect, it } from '@jest/globals';
import type { Counters } from '../../api/inventory.js';
import { edgeNoteOf } from './edge-notes.js';

const NOW = new Date('2026-01-01T12:00:00Z');
const row = (more: Partial<Counters>) =>
  ({ accepted: 10, dead: 0, inRetry: 0, latencyMs: { p50: 20, p95: 120 }, ...more }) as Counters;
const textOf = (more: Partial<Counters>, rate = 0) => edgeNoteOf(row(more), rate, NOW)?.text;

it('says the worst of a way first', () => {
  expect(textOf({}, 12)).toBe('12/s · 120 ms');
  expect(textOf({ dead: 2 })).toBe('120 ms · 2 failed');
  expect(textOf({ dead: 2, inRetry: 3 }, 1)).toBe('3 waiting');
  expect(textOf({ inRetry: 3, breakerOpen: true })).toBe('breaker open');
  expect(textOf({ accepted: 0 })).toBeUndefined();
});

it('tells all of it in words', () => {
  const waiting = { inRetry: 3, waitingSince: '2026-01-01T11:58:00.000Z', dead: 1, breakerOpen: true as const };
  const { title } = edgeNoteOf(row(waiting), 0, NOW) ?? { title: '' };
  for (const part of ['3 waiting to be retried, the oldest from 2 min', '1 could not', 'breaker is open'])
    expect(title).toContain(part);
});
