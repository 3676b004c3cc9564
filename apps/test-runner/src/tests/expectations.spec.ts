import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { COMPARISON_STEPS_MAX, Comparison, jsonStart, TooLargeToCompare, valueAt, verdictOf } from './expectations.js';

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

const ITEMS = 40_000;

const equals = (one: unknown, other: unknown) => new Comparison().equals(one, other);
const includes = (part: unknown, whole: unknown) => new Comparison().includes(part, whole);
const json = fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown);
const list = (make: (index: number) => unknown) => Array.from({ length: ITEMS }, (_, index) => make(index));

/** The rule itself, without limits. */
function isIncluded(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string' && typeof whole === 'string') return whole.includes(part);
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item) => whole.some((one) => isIncluded(item, one)));
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false;
  const [given, there] = [part as Record<string, unknown>, whole as Record<string, unknown>];
  return Object.keys(given).every((key) => Object.hasOwn(there, key) && isIncluded(given[key], there[key]));
}

describe('Comparison', () => {
  it('finds equal what is the same JSON', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(equals(one, structuredClone(one))).toBe(true);
        expect(equals(one, other)).toBe(isDeepStrictEqual(one, other));
      }),
    );
    expect(equals({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  });

  it('finds included what each given key and item says', () => {
    const few = fc.jsonValue({ maxDepth: 2, noUnicodeString: true });
    const pool = fc.constantFrom<unknown>('a', 'ab', 1, null, { a: 'a' }, { a: 'ab', b: 1 }, [1], ['ab', 1], {
      toString: 1,
    });
    const lists = fc.oneof(fc.array(pool, { maxLength: 4 }), few, pool);
    fc.assert(
      fc.property(lists, lists, (part, whole) => {
        expect([part, whole, includes(part, whole)]).toEqual([part, whole, isIncluded(part, whole)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes large lists that stand in their order, and plain values in any order', () => {
    expect(
      includes(
        list((index) => index).reverse(),
        list((index) => index),
      ),
    ).toBe(true);
    expect(
      includes(
        list((index) => `t${index}`).reverse(),
        list((index) => `t${index}`),
      ),
    ).toBe(true);
    const objects = list((index) => ({ n: index })).slice(0, 15_000);
    expect(includes(objects, structuredClone(objects))).toBe(true);
  });

  it.each([
    ['objects of another order', list((index) => ({ n: ITEMS - 1 - index })), list((index) => ({ n: index }))],
    ['parts of texts in another order', list((index) => `${ITEMS - index}!`), list((index) => `x${index + 1}!`)],
    ['lists of lists', [list((index) => [index])], [list((index) => [-index])]],
    ['a long text many times', Array(ITEMS).fill('no'), Array(ITEMS).fill('y'.repeat(100))],
    [
      'deep nesting',
      JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)),
      JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)),
    ],
  ])('gives up on %s', (_what, part, whole) => {
    expect(() => includes(part, whole)).toThrow(TooLargeToCompare);
  });

  it('looks at no more items than it has steps', () => {
    let looks = 0;
    const item = (index: number) => ({
      get n() {
        looks += 1;
        return index;
      },
    });
    expect(() => includes(list(item).toReversed(), list(item))).toThrow(TooLargeToCompare);
    expect(looks).toBeLessThan(2 * (COMPARISON_STEPS_MAX + ITEMS));
  });

  it('leaves the search for a long text to no engine that starts over at each place', () => {
    const searches = [jest.spyOn(String.prototype, 'includes'), jest.spyOn(String.prototype, 'indexOf')];
    const found = includes(`${'a'.repeat(100)}b`, 'a'.repeat(500));
    const parts = searches.flatMap(({ mock }) => mock.calls.map(([part]) => String(part).length));
    for (const search of searches) search.mockRestore();
    expect([found, parts]).toEqual([false, []]);
  });

  it('has one budget for all its calls', () => {
    const comparison = new Comparison(10);
    expect(comparison.equals([1, 2, 3], [1, 2, 3])).toBe(true);
    expect(() => {
      for (let time = 0; time < 3; time += 1) comparison.equals([1, 2, 3], [1, 2, 3]);
    }).toThrow(TooLargeToCompare);
  });
});

it('is the JSON of what is short, and the beginning of any other', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(60), (text, length) => {
      const value: unknown = JSON.parse(text);
      const whole = JSON.stringify(value);
      const start = jsonStart(value, length);
      if (whole.length <= length) expect(start).toBe(whole);
      else expect([start.length > length, start.slice(0, length)]).toEqual([true, whole.slice(0, length)]);
    }),
  );
  expect(jsonStart(undefined, 5)).toBe('nothing');
  expect(jsonStart({ a: undefined, b: 1 }, 50)).toBe('{"b":1}');
});
