import { describe, expect, it } from '@jest/globals';
import type { EventResult } from '@weir/contracts';
import { shownOutput } from '@weir/imports';
import { NO_CANDIDATES } from '../revisions/nodes.js';
import { judge, libraryOutput, passed, summarize, summaryOf, transformationOutput } from './judge.js';

const events = [{ n: 1 }, { n: 2 }];
const ok = (...outputs: object[]) => ({ status: 'ok' as const, outputs: outputs as Record<string, unknown>[] });
const dropped = { status: 'dropped' as const };
const error = { status: 'error' as const, error: { message: 'Error: no' } };
const called = { method: 'GET', url: 'https://example.com/', status: 200, milliseconds: 3 };
const run = (...results: EventResult[]) => ({
  ...{
    results,
    output: shownOutput(results, []),
    strayErrors: [],
    logs: ['Log: hi'],
    fetches: [called],
    durationMs: 1.234,
  },
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

  it('counts errors of elements that belong to no event', () => {
    const strayErrors = [{ message: 'not an object' }, { message: 'nor this' }];
    const result = judge({ input: events }, events, { ...run(ok({ a: 1 }), dropped), strayErrors });
    expect(result).toMatchObject({ status: 'error', errors: strayErrors });
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

const node = { id: 'i', versionId: 'v', name: 'N', imports: ['l'] };
const failure = { name: 'r', status: 'error' as const, actualOutput: [{}], errors: [{ message: 'Error: e' }] };

describe('the validation output', () => {
  const good = libraryOutput({ ...node, importName: 'n' }, undefined);
  const bad = transformationOutput(node, { status: 'error', results: [failure] });

  it('says first what failed', () => {
    expect(good).toEqual({ id: 'i', name: 'N', versionId: 'v', handleName: 'n', pass: true });
    expect(bad).toMatchObject({ pass: false, message: 'Error: e', imports: ['l'] });
    const named = { ...NO_CANDIDATES, transformations: [node] };
    expect(summaryOf({ libraries: [good], transformations: [] }, named)).toBe('All tests passed');
    const output = { libraries: [good], transformations: [bad, bad] };
    expect(passed(output)).toBe(false);
    expect(summaryOf(output, named)).toBe('Tests failed: transformation N: Error: e (1 more failed)');
  });

  it('says what to do about live code that would break', () => {
    const message = summaryOf({ libraries: [], transformations: [bad] }, NO_CANDIDATES);
    expect(message).toContain('Publish a matching revision of it in the same request');
  });
});
