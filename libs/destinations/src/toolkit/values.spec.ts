import { describe, expect, it } from '@jest/globals';
import { compact, compactDeep, withoutEmpty, withoutEmptyDeep } from './clean.js';
import { oneOf, toBoolean, toInteger, toNumber, toText } from './convert.js';
import { hashed, hashedCompact, hashedPhone, hashedWord, sha256 } from './hash.js';
import { ageMs, toDate, toIso, toIsoSeconds, toUnixMillis, toUnixSeconds } from './time.js';

describe('conversions', () => {
  it.each<[(value: unknown) => unknown, unknown, unknown]>([
    [toText, 5, '5'],
    [toText, { a: 1 }, '{"a":1}'],
    [toText, null, undefined],
    [toNumber, '12.5', 12.5],
    [toNumber, ' ', undefined],
    [toNumber, 'twelve', undefined],
    [toNumber, true, undefined],
    [toInteger, '12.9', 12],
    [toBoolean, 'TRUE', true],
    [toBoolean, 'yes', undefined],
    [oneOf({ male: 'M' }), 'Male', 'M'],
    [oneOf({ male: 'M' }), 'other', undefined],
    [oneOf({ male: 'M' }, { keepOthers: true }), 'other', 'other'],
    [oneOf({}), 'constructor', undefined],
  ])('%p of %j is %j', (convert, value, expected) => {
    expect(convert(value)).toBe(expected);
  });
});

describe('times', () => {
  const at = '2026-03-04T05:06:07.890Z';
  const millis = Date.UTC(2026, 2, 4, 5, 6, 7, 890);

  it.each([at, millis, String(millis), '2026-03-04T06:06:07.890+01:00'])('%j is read', (value) => {
    expect(toUnixMillis(value)).toBe(millis);
    expect(toUnixSeconds(value)).toBe(Math.floor(millis / 1_000));
    expect(toIso(value)).toBe(at);
    expect(toIsoSeconds(value)).toBe('2026-03-04T05:06:07Z');
    expect(toDate(value)).toBe('2026-03-04');
    expect(ageMs(value, millis + 5)).toBe(5);
  });

  it('takes small epochs for seconds', () => {
    expect(toUnixMillis(1_700_000_000)).toBe(1_700_000_000_000);
  });

  it.each(['', 'soon', null, {}, Number.NaN, 1e300])('%j is no time', (value) => {
    expect(toIso(value)).toBeUndefined();
  });
});

describe('hashing', () => {
  const ready = 'A'.repeat(64);

  it.each<[(value: unknown) => unknown, unknown, string]>([
    [hashed, ' Ada ', sha256(' Ada ')],
    [hashedWord, ' Ada@Example.COM ', sha256('ada@example.com')],
    [hashedPhone, '+39 (011) 555-0100', sha256('390115550100')],
    [hashedPhone, '0039 011', sha256('39011')],
    [hashedCompact, 'New York', sha256('newyork')],
    [hashedWord, ready, ready.toLowerCase()],
  ])('%p of %j', (hash, value, expected) => {
    expect(hash(value)).toBe(expected);
  });

  it('hashes no absent value and no object', () => {
    expect([hashedWord(''), hashedWord(null), hashedWord({})]).toEqual([undefined, undefined, undefined]);
  });
});

describe('cleaning', () => {
  const messy = { a: null, b: undefined, c: '', d: {}, e: [], f: 0, g: false, h: { i: null, j: [] } };

  it('leaves out what was asked, at the top or everywhere', () => {
    expect(compact(messy)).toEqual({ c: '', d: {}, e: [], f: 0, g: false, h: { i: null, j: [] } });
    expect(withoutEmpty(messy)).toEqual({ f: 0, g: false, h: { i: null, j: [] } });
    expect(compactDeep(messy)).toEqual({ c: '', d: {}, e: [], f: 0, g: false, h: { j: [] } });
    expect(withoutEmptyDeep({ ...messy, k: [{ l: null }, { m: 1 }] })).toEqual({ f: 0, g: false, k: [{ m: 1 }] });
  });
});
