import { describe, expect, it } from '@jest/globals';
import { quietUntil } from './quiet-hours.js';

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
const noon = { from: '12:00', to: '13:30', timeZone: 'Asia/Kolkata' };

describe('quiet hours', () => {
  it.each([
    ['before midnight in winter', night, '2026-01-10T21:00:30Z', '2026-01-11T06:00:00.000Z'],
    ['after midnight in summer', night, '2026-07-10T04:59:59Z', '2026-07-10T05:00:00.000Z'],
    ['at their first minute', night, '2026-01-10T21:00:00Z', '2026-01-11T06:00:00.000Z'],
    ['within one day, half an hour off', noon, '2026-01-10T07:30:00Z', '2026-01-10T08:00:00.000Z'],
    ['at their end', night, '2026-01-10T06:00:00Z', undefined],
    ['at day', night, '2026-01-10T12:00:00Z', undefined],
    ['that nobody set', null, '2026-01-10T23:00:00Z', undefined],
  ])('%s', (_what, quiet, now, until) => {
    expect(quietUntil(quiet, new Date(now))?.toISOString()).toBe(until);
  });
});
