import { describe, expect, it } from '@jest/globals';
import { formatTime, timeOf } from './event-time.js';

describe('timeOf', () => {
  it.each([
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+05:30', '2026-01-01T21:34:05.000Z'],
    ['2026-01-02T03:04:05-0100', '2026-01-02T04:04:05.000Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ])('%s is %s', (given, expected) => {
    const time = timeOf(given);
    expect(time === undefined ? undefined : formatTime(time)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '12',
    '2026-13-01',
    '2026-01-02T25:00:00Z',
    '+012026-01-02T00:00:00Z',
    1_767_000_000_000,
    null,
    {},
  ])('%p is no date', (given) => {
    expect(timeOf(given)).toBeUndefined();
  });
});
