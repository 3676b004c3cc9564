import { expect, it } from '@jest/globals';
import { everyHour, ratesOf, rateText } from './rates.js';

it('tells events each second between two readings, and no negative rate when an hour leaves the sum', () => {
  const before = {
    at: 0,
    rows: [
      { destinationId: 'a', delivered: 100 },
      { destinationId: 'b', delivered: 9 },
    ],
  };
  const rows = [
    { destinationId: 'a', delivered: 150 },
    { destinationId: 'b', delivered: 3 },
    { destinationId: 'new', delivered: 5 },
  ];
  expect([...ratesOf(before, { at: 5_000, rows })]).toEqual([
    ['a', 10],
    ['b', 0],
    ['new', 1],
  ]);
  expect(ratesOf(undefined, { at: 0, rows }).size).toBe(0);
  expect(ratesOf({ at: 0, rows }, { at: 0, rows }).size).toBe(0);
});

it.each([
  [0, ''],
  [0.001, '1/min'],
  [0.5, '30/min'],
  [1.25, '1.3/s'],
  [240.4, '240/s'],
])('says %p a second as %p', (rate, text) => {
  expect(rateText(rate)).toBe(text);
});

it('fills hours in which nothing came', () => {
  const rows = [{ hour: '2026-01-01T01:00:00.000Z' }];
  const now = Date.parse('2026-01-01T02:30:00.000Z');
  expect(everyHour(rows, 3, now).map(({ at, row }) => [at.toISOString().slice(11, 16), row])).toEqual([
    ['00:00', undefined],
    ['01:00', rows[0]],
    ['02:00', undefined],
  ]);
});
