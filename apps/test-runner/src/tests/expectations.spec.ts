import { describe, expect, it } from '@jest/globals';
import { valueAt, verdictOf } from './expectations.js';

const result = { data: [{ status: [200], 'a/b': { 'm~n': null }, body: { plan: 'pro', tags: ['x', 'y'] } }] };

describe('valueAt', () => {
  it.each([
    ['', result],
    ['/data/0/status/0', 200],
    ['/data/0/a~1b/m~0n', null],
    ['/data/0/body/tags/1', 'y'],
  ])('finds %j', (pointer, value) => {
    expect(valueAt(result, pointer)).toEqual({ value });
  });

  it.each(['/data/1', '/data/00', '/data/-1', '/data/length', '/data/0/toString', '/data/0/status/0/x', '/'])(
    'finds nothing at %j',
    (pointer) => {
      expect(valueAt(result, pointer)).toBeUndefined();
    },
  );
});

describe('verdictOf', () => {
  it.each([
    [{ pointer: '/data/0/status', equals: [200] }],
    [{ pointer: '/data/0/a~1b/m~0n', equals: null }],
    [{ pointer: '/data/0/body', includes: { plan: 'p' } }],
    [{ pointer: '/data/0/body/tags', includes: ['y'] }],
    [{ pointer: '/data', includes: [{ status: [200] }] }],
    [{ pointer: '/data/0/error', exists: false }],
    [{ pointer: '/data/0/status', exists: true }],
  ])('holds: %j', (expectation) => {
    expect(verdictOf(result, [expectation])).toEqual({ passed: true, failures: [] });
  });

  it.each([
    [{ pointer: '/data/0/status/0', equals: '200' }, 'to equal "200"', { actual: 200 }],
    [
      { pointer: '/data/0/body', includes: { plan: 'basic' } },
      'to include {"plan":"basic"}',
      { actual: result.data[0]?.body },
    ],
    [
      { pointer: '/data/0/body', includes: { toString: {} } },
      'to include {"toString":{}}',
      { actual: result.data[0]?.body },
    ],
    [{ pointer: '/data/0/body/tags', includes: ['y', 'z'] }, 'to include ["y","z"]', { actual: ['x', 'y'] }],
    [{ pointer: '/data/3', exists: true }, 'to exist', {}],
    [{ pointer: '/data', exists: false }, 'not to exist', { actual: result.data }],
    [{ pointer: '/nothing', equals: null }, 'to equal null', {}],
  ])('does not hold: %j', (expectation, expected, actual) => {
    const failures = [{ pointer: expectation.pointer, expected, ...actual }];
    expect(verdictOf(result, [expectation])).toEqual({ passed: false, failures });
  });

  it('says what it did not compare, and goes on with what needs no comparing', () => {
    const many = Array.from({ length: 16_000 }, (_, index) => ({ n: index }));
    const { passed, failures } = verdictOf({ list: many, other: 1 }, [
      { pointer: '/list', includes: many.toReversed() },
      { pointer: '/other', exists: true },
    ]);
    expect(passed).toBe(false);
    expect(failures.map(({ expected }) => expected)).toEqual([
      expect.stringMatching(
        /^to include \[\{"n":15999.*, which is too large to compare: all comparisons .* 100000 steps$/,
      ),
    ]);
  });

  it('shows of a large value only what it looks at, however often it is asked for', () => {
    let looks = 0;
    const item = {
      get value() {
        looks += 1;
        return 'x';
      },
    };
    verdictOf({ list: Array(100_000).fill(item) }, Array(50).fill({ pointer: '/list', exists: false }));
    expect(looks).toBeLessThan(50 * 500);
  });

  it('shows only the beginning of what is long', () => {
    const { failures } = verdictOf({ text: 'x'.repeat(10_000) }, [{ pointer: '/text', equals: '' }]);
    expect(failures[0]?.actual).toMatch(/^"x{499}…$/);
  });
});
