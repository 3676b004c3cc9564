import { describe, expect, it } from '@jest/globals';
import type { DeletionOutcome } from '@weir/destinations';
import { afterAttempt, afterCheck } from './task.rules.js';

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
    expect(after(outcome)).toEqual({ reason: null, ...outcome, dueInMs: null, receipt: null });
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

describe('a task that is forwarded with a receipt', () => {
  const check = (outcome: DeletionOutcome, checks = 1, forwardedForMs = 0) =>
    afterCheck(outcome, { checks, forwardedForMs, receipt: 'job 7' }, longest);

  it('is asked for after a minute', () => {
    const forwarded = after({ status: 'forwarded', receipt: 'job 7' });
    expect(forwarded).toEqual({ status: 'forwarded', reason: null, dueInMs: 60_000, receipt: 'job 7' });
  });

  it.each<DeletionOutcome>([{ status: 'complete' }, { status: 'aborted', reason: 'the job was canceled' }])(
    'ends with $status, once the vendor says so',
    (outcome) => {
      expect(check(outcome)).toEqual({ reason: null, ...outcome, dueInMs: null, receipt: null });
    },
  );

  it('is asked for ever less often while it goes on, every six hours at last', () => {
    const waits = [1, 2, 3, 9, 10, 400].map((checks) => check({ status: 'forwarded' }, checks).dueInMs);
    expect(waits).toEqual([60_000, 120_000, 240_000, 15_360_000, 21_600_000, 21_600_000]);
  });

  it('stays forwarded when the question fails, and says why', () => {
    expect(check({ status: 'failed', reason: 'answered 503', retryAfterMs: 600_000 })).toEqual({
      ...{ status: 'forwarded', reason: 'answered 503', dueInMs: 600_000, receipt: 'job 7' },
    });
  });

  it('is not asked for any more after 60 days, and never counts as done', () => {
    expect(check({ status: 'forwarded' }, 5, 60 * DAY_MS)).toEqual({
      ...{ status: 'forwarded', dueInMs: null, receipt: null },
      reason: expect.stringContaining('60 days'),
    });
  });
});
