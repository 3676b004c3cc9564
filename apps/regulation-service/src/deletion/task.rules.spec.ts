import { describe, expect, it } from '@jest/globals';
import { AppError, type DeletionStatus } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import { EgressError } from '@weir/egress';
import { afterAttempt, afterCheck, outcomeOfError, overallStatus } from './task.rules.js';

const DAY_MS = 86_400_000;
const longest = () => 1;
const after = (outcome: DeletionOutcome, attempts = 1, ageMs = 0) =>
  afterAttempt(outcome, { attempts, ageMs }, longest);
const failed = (retryAfterMs?: number): DeletionOutcome => ({
  status: 'failed',
  reason: 'answered 503',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

describe('a task after an attempt', () => {
  it.each<DeletionOutcome>([
    { status: 'complete' },
    { status: 'forwarded' },
    { status: 'not_supported' },
    { status: 'aborted', reason: 'answered 400' },
  ])('has ended with $status', (outcome) => {
    expect(after(outcome)).toEqual({ reason: null, ...outcome, dueInMs: null, jobReference: null });
  });

  it('is tried again, each time after a longer wait, up to an hour', () => {
    const waits = [1, 2, 3, 10, 11, 12, 40].map((attempts) => after(failed(), attempts).dueInMs);
    expect(waits).toEqual([1_000, 2_000, 4_000, 512_000, 1_024_000, 2_048_000, 3_600_000]);
    expect(after(failed())).toMatchObject({ status: 'failed', reason: 'answered 503' });
  });

  it('waits at least half of its backoff', () => {
    expect(afterAttempt(failed(), { attempts: 3, ageMs: 0 }, () => 0).dueInMs).toBe(2_000);
  });

  it.each([
    ['longer than its backoff when asked', 60_000, 60_000],
    ['not shorter than its backoff', 10, 1_000],
    ['a day at most', 400 * DAY_MS, DAY_MS],
  ])('waits %s', (_what, retryAfterMs, dueInMs) => {
    expect(after(failed(retryAfterMs)).dueInMs).toBe(dueInMs);
  });

  it('is given up when the next attempt would come after 30 days', () => {
    expect(after(failed(), 1, 30 * DAY_MS - 2_000).status).toBe('failed');
    const given = after(failed(), 1, 30 * DAY_MS);
    expect(given).toMatchObject({ status: 'aborted', dueInMs: null, reason: expect.stringContaining('answered 503') });
  });
});

describe('a task that is forwarded with a job reference', () => {
  const check = (outcome: DeletionOutcome, checks = 1, forwardedForMs = 0) =>
    afterCheck(outcome, { checks, forwardedForMs, jobReference: 'job 7' }, longest);

  it('is asked for after a minute', () => {
    const forwarded = after({ status: 'forwarded', jobReference: 'job 7' });
    expect(forwarded).toEqual({ status: 'forwarded', reason: null, dueInMs: 60_000, jobReference: 'job 7' });
  });

  it.each<DeletionOutcome>([{ status: 'complete' }, { status: 'aborted', reason: 'the job was canceled' }])(
    'ends with $status, once the vendor says so',
    (outcome) => {
      expect(check(outcome)).toEqual({ reason: null, ...outcome, dueInMs: null, jobReference: null });
    },
  );

  it('is asked for ever less often while it goes on, every six hours at last', () => {
    const waits = [1, 2, 3, 9, 10, 400].map((checks) => check({ status: 'forwarded' }, checks).dueInMs);
    expect(waits).toEqual([60_000, 120_000, 240_000, 15_360_000, 21_600_000, 21_600_000]);
  });

  it('stays forwarded when the question fails, and says why', () => {
    expect(check({ status: 'failed', reason: 'answered 503', retryAfterMs: 600_000 })).toEqual({
      ...{ status: 'forwarded', reason: 'answered 503', dueInMs: 600_000, jobReference: 'job 7' },
    });
  });

  it('is not asked for any more after 60 days, and never counts as done', () => {
    expect(check({ status: 'forwarded' }, 5, 60 * DAY_MS)).toEqual({
      ...{ status: 'forwarded', dueInMs: null, jobReference: null },
      reason: expect.stringContaining('60 days'),
    });
  });
});

const of = (statuses: DeletionStatus[], internal: DeletionStatus = 'complete') =>
  overallStatus([
    ...statuses.map((status, n) => ({ destinationId: `d${n}`, status })),
    { destinationId: 'internal:schema', status: internal },
  ]);

describe('the overall status', () => {
  it.each<[string, DeletionStatus[], DeletionStatus]>([
    ['pending', ['pending', 'pending'], 'pending'],
    ['running', ['pending', 'complete'], 'pending'],
    ['running', ['running', 'failed'], 'complete'],
    ['running', ['failed', 'pending'], 'complete'],
    ['failed', ['failed', 'complete'], 'complete'],
    ['failed', ['failed', 'aborted'], 'complete'],
    ['complete', ['complete', 'complete'], 'complete'],
    ['complete', [], 'complete'],
    ['complete', ['complete', 'not_supported'], 'complete'],
    ['forwarded', ['forwarded', 'complete'], 'complete'],
    ['not_supported', ['not_supported'], 'complete'],
    ['running', ['not_supported'], 'running'],
    ['partial', ['aborted', 'complete'], 'complete'],
    ['partial', ['canceled', 'complete'], 'complete'],
    ['aborted', ['aborted', 'canceled'], 'canceled'],
    ['canceled', ['canceled', 'canceled'], 'canceled'],
    ['canceled', ['not_supported', 'canceled'], 'canceled'],
  ])('is %s for %j with the internal tasks %s', (expected, statuses, internal) => {
    expect(of(statuses, internal)).toBe(expected);
  });
});

describe('an attempt that throws', () => {
  it.each([
    ['a destination that cannot be reached', new EgressError('connect', 'The connection was refused'), 'failed'],
    ['a destination that is too slow', new EgressError('timeout', 'No complete answer'), 'failed'],
    ['an address that is not allowed', new EgressError('blocked', 'The address is not allowed'), 'failed'],
    ['an address that is none', new EgressError('invalid_url', 'The URL is not valid'), 'failed'],
    ['an answer without end', new EgressError('too_large', 'The answer is too long'), 'aborted'],
    ['a configuration that cannot be used', new AppError('invalid', 'The bucket has no name'), 'failed'],
    ['a user whom no address can name', new AppError('unsupported', 'the user id cannot be used'), 'aborted'],
    ['a service that is away', new AppError('unavailable', 'The schema service is not available'), 'failed'],
    ['a service that is too slow', new AppError('timeout', 'No answer'), 'failed'],
  ])('because of %s', (_what, error, status) => {
    expect(outcomeOfError(error)).toEqual({ status, reason: error.message });
  });

  it('is tried again when nobody knows why, and says nothing of what it was', () => {
    expect(outcomeOfError(new TypeError('cannot read ada@example.com'))).toEqual({
      status: 'failed',
      reason: 'the deletion failed unexpectedly',
    });
  });
});
