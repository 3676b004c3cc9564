import { describe, expect, it } from '@jest/globals';
import type { EventResult } from '@weir/contracts';
import { judge, summarize } from './judge.js';

const events = [{ n: 1 }, { n: 2 }];
const ok = (...outputs: object[]) => ({ status: 'ok' as const, outputs: outputs as Record<string, unknown>[] });
const dropped = { status: 'dropped' as const };
const error = { status: 'error' as const, error: { message: 'Error: no' } };
const called = { method: 'GET', url: 'https://example.com/', status: 200, milliseconds: 3 };
const run = (...results: EventResult[]) => ({
  ...{ results, strayErrors: [], logs: ['Log: hi'], fetches: [called], durationMs: 1.234 },
});

describe('judge', () => {
  it('passes code without an exception, dropped events and fan-out included', () => {
    const result = judge({ name: 'n', input: events }, events, run(dropped, ok({ a: 1 }, { b: 2 })));
    expect(result).toEqual({
      ...{ name: 'n', status: 'pass', actualOutput: [{ a: 1 }, { b: 2 }], errors: [] },
      ...{ logs: ['Log: hi'], fetches: [called], durationMs: 1.23 },
      events: [expect.objectContaining({ outcome: 'dropped' }), expect.objectContaining({ outcome: 'fanned_out' })],
    });
  });

  it('compares with the expected output deeply and in order', () => {
    const verdict = (expectedOutput: unknown[]) =>
      judge({ input: events, expectedOutput }, events, run(ok({ a: { b: [1] } }), ok({ c: 1 }))).status;
    expect(verdict([{ a: { b: [1] } }, { c: 1 }])).toBe('pass');
    expect(verdict([{ c: 1 }, { a: { b: [1] } }])).toBe('fail');
    expect(verdict([{ a: { b: ['1'] } }, { c: 1 }])).toBe('fail');
    expect(verdict([])).toBe('fail');
  });

  it('shows each exception in its place and by its event, and outweighs any comparison', () => {
    const result = judge({ id: 'i', input: events, expectedOutput: [] }, events, run(ok({ a: 1 }), error));
    expect(result).toMatchObject({ id: 'i', status: 'error', actualOutput: [{ a: 1 }, { error: 'Error: no' }] });
    expect(result.errors).toEqual([{ message: 'Error: no', event: { n: 2 }, eventIndex: 1 }]);
  });

  it('shows errors of elements that belong to no event after all others', () => {
    const strayErrors = [{ message: 'not an object' }, { message: 'nor this' }];
    const result = judge({ input: events }, events, { ...run(ok({ a: 1 }), dropped), strayErrors });
    expect(result).toMatchObject({ status: 'error', errors: strayErrors });
    expect(result.actualOutput).toEqual([{ a: 1 }, { error: 'not an object' }, { error: 'nor this' }]);
  });
});

describe('summarize', () => {
  const result = (status: 'pass' | 'fail' | 'error') => ({ name: status, status, actualOutput: [], errors: [] });
  it.each([
    [['pass', 'pass'], 'pass'],
    [['pass', 'fail'], 'fail'],
    [['fail', 'error', 'pass'], 'error'],
  ] as const)('%s -> %s', (statuses, status) => {
    expect(summarize(statuses.map(result)).status).toBe(status);
  });
});
