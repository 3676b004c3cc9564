import { expect, it } from '@jest/globals';
import { DAYS_SHOWN, everyDay } from './days.js';

it('every day of the last month is there, up to today', () => {
  const now = Date.parse('2026-03-01T23:59:59.999Z');
  const days = everyDay(
    [
      { Day: '2026-02-28', Events: 3 },
      { Day: '2025-01-01', Events: 9 },
    ],
    now,
  );
  expect(days).toHaveLength(DAYS_SHOWN);
  expect(days.at(-1)).toEqual({ at: new Date('2026-03-01T00:00:00.000Z'), events: 0 });
  expect(days.at(-2)?.events).toBe(3);
  expect(days[0]?.at.toISOString()).toBe('2026-01-31T00:00:00.000Z');
  expect(days.reduce((sum, { events }) => sum + events, 0)).toBe(3);
});
