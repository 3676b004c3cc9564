import { describe, expect, it } from '@jest/globals';
import { sumOf, verdictOf } from './trial.service.js';

describe('verdictOf', () => {
  it.each([
    ['nothing has happened yet', { events: 1, errors: 0 }, 0.05, 'running'],
    ['all have failed, but few', { events: 49, errors: 49 }, 0.05, 'running'],
    ['the rest can no longer help', { events: 50, errors: 50 }, 0.05, 'failed'],
    ['one is missing', { events: 999, errors: 49 }, 0.05, 'running'],
    ['the first thousand are complete', { events: 1_000, errors: 49 }, 0.05, 'passed'],
    ['the last one makes it too many', { events: 1_000, errors: 50 }, 0.05, 'failed'],
    ['some more than a thousand were run', { events: 1_200, errors: 59 }, 0.05, 'passed'],
    ['too many of some more than a thousand failed', { events: 1_200, errors: 60 }, 0.05, 'failed'],
    ['only a revision that does nothing right is to fail', { events: 999, errors: 999 }, 1, 'running'],
    ['it does nothing right', { events: 1_000, errors: 1_000 }, 1, 'failed'],
    ['the share has no exact binary form', { events: 100, errors: 70 }, 0.07, 'failed'],
    ['a single error is too many', { events: 3, errors: 1 }, 0.001, 'failed'],
  ] as const)('when %s', (_, tally, errorRate, verdict) => {
    expect(verdictOf(tally, errorRate)).toBe(verdict);
  });
});

it('sumOf adds up what deliverers have counted', () => {
  expect(sumOf({})).toEqual({ events: 0, errors: 0 });
  expect(sumOf({ a: { events: 5, errors: 1 }, b: { events: 7, errors: 2 } })).toEqual({ events: 12, errors: 3 });
});
