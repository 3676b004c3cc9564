import { describe, expect, it } from '@jest/globals';
import { compact, compactDeep, withoutEmpty, withoutEmptyDeep } from './clean.js';
import { oneOf, toBoolean, toInteger, toNumber, toText } from './convert.js';
import { hashed, hashedCompact, hashedPhone, hashedWord, isUuid, sha256, uuidOf } from './hash.js';
import {
  ageMs,
  toDate,
  toIso,
  toIsoSeconds,
  toUnixMillis,
  toUnixSeconds,
  zoneAbbreviation,
  zoneOffsetSeconds,
} from './time.js';
import { parseUserAgent } from './user-agent.js';

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

  it('reads what a date of JavaScript writes', () => {
    expect(toUnixMillis('Wed Mar 04 2026 06:06:07 GMT+0100 (Central European Standard Time)')).toBe(millis - 890);
  });

  it('looks at no text that is too long to be one', () => {
    expect(toUnixMillis(`${at}${' '.repeat(105)}`)).toBeUndefined();
    expect(zoneOffsetSeconds('Europe/'.repeat(20), millis)).toBeUndefined();
  });

  it('takes small epochs for seconds', () => {
    expect(toUnixMillis(1_700_000_000)).toBe(1_700_000_000_000);
  });

  it.each(['', 'soon', null, {}, Number.NaN, 1e300])('%j is no time', (value) => {
    expect(toIso(value)).toBeUndefined();
  });
});

describe('hashing', () => {
  it('leaves out what is too long to be a name or a number, and hashes ids as they are', () => {
    const long = 'a'.repeat(1_025);
    expect([hashedWord(long), hashedPhone(long), hashedCompact(long)]).toEqual([undefined, undefined, undefined]);
    expect(hashed(long)).toBe(sha256(long));
  });

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

describe('UUIDs', () => {
  it('are the same for the same text, of version 5', () => {
    // The example of RFC 9562, appendix A.4.
    expect(uuidOf('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
    expect([isUuid(uuidOf('a')), isUuid('a')]).toEqual([true, false]);
  });
});

describe('time zones', () => {
  const winter = Date.UTC(2026, 0, 1);

  it.each<[unknown, number | undefined, string | undefined]>([
    ['Asia/Tokyo', 32_400, 'GMT+9'],
    ['Asia/Kolkata', 19_800, 'IST'],
    ['America/New_York', -18_000, 'EST'],
    ['UTC', 0, 'UTC'],
    ['No/Where', undefined, undefined],
    [7, undefined, undefined],
  ])('%j', (zone, offset, abbreviation) => {
    expect(zoneOffsetSeconds(zone, winter)).toBe(offset);
    expect(zoneAbbreviation(zone, winter)).toBe(abbreviation);
  });
});

describe('user agents', () => {
  it.each<[string, object]>([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605 Version/18.1 Mobile/15E148 Safari/604.1',
      { browser: 'Mobile Safari', os: 'iOS', osVersion: '18.1' },
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      { browser: 'Edge', browserVersion: '131.0.0.0', os: 'Windows' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36',
      { browser: 'Chrome', os: 'Android', osVersion: '15' },
    ],
    ['curl/8.0', {}],
  ])('%s', (userAgent, expected) => {
    expect(parseUserAgent(userAgent)).toMatchObject(expected);
  });

  it('are read as far as they are texts', () => {
    expect([parseUserAgent(undefined), parseUserAgent('curl/8.0')]).toEqual([{}, {}]);
  });
});
