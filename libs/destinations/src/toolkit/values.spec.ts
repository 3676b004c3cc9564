import { describe, expect, it } from '@jest/globals';
import { isEmail, leadingInteger, leadingNumber, oneOf, toBoolean, toInteger, toNumber, toText } from './convert.js';
import { hashed, hashedPhone, hashedWord, sha256, uuidOf } from './hash.js';
import { compact, withoutEmpty } from './objects.js';
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
    [leadingNumber, '12.5 EUR', 12.5],
    [leadingNumber, 'EUR 12', undefined],
    [leadingInteger, '12.5 EUR', 12],
    [leadingInteger, {}, undefined],
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

  it.each(['', 'soon', null, {}, Number.NaN, 1e300, '9'.repeat(20)])('%j is no time', (value) => {
    expect(toIso(value)).toBeUndefined();
    expect(toUnixSeconds(value)).toBeUndefined();
  });
});

describe('hashing', () => {
  it('leaves out what is too long to be a name or a number, and hashes ids as they are', () => {
    const long = 'a'.repeat(1_025);
    expect([hashedWord(long), hashedPhone(long)]).toEqual([undefined, undefined]);
    expect(hashed(long)).toBe(sha256(long));
  });

  const ready = 'A'.repeat(64);

  it.each<[(value: unknown) => unknown, unknown, string]>([
    [hashed, ' Ada ', sha256(' Ada ')],
    [hashedWord, ' Ada@Example.COM ', sha256('ada@example.com')],
    [hashedPhone, '+39 (011) 555-0100', sha256('390115550100')],
    [hashedPhone, '0039 011', sha256('39011')],
    [hashedWord, ready, ready],
    [hashedPhone, ready, ready],
  ])('%p of %j', (hash, value, expected) => {
    expect(hash(value)).toBe(expected);
  });

  it('hashes no absent value, no object, and nothing that becomes empty', () => {
    expect([hashedWord(''), hashedWord(null), hashedWord({})]).toEqual([undefined, undefined, undefined]);
    expect([hashedWord(' '), hashedPhone('+0'), hashedPhone('none')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('cleaning', () => {
  const messy = { a: null, b: undefined, c: '', d: {}, e: [], f: 0, g: false, h: { i: null, j: [] } };

  it('leaves out what was asked, at the top only', () => {
    expect(compact(messy)).toEqual({ c: '', d: {}, e: [], f: 0, g: false, h: { i: null, j: [] } });
    expect(withoutEmpty(messy)).toEqual({ f: 0, g: false, h: { i: null, j: [] } });
  });
});

describe('UUIDs', () => {
  it('are the same for the same text, of version 5', () => {
    // The example of RFC 9562, appendix A.4.
    expect(uuidOf('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });
});

describe('time zones', () => {
  const winter = Date.UTC(2026, 0, 1);

  it.each<[unknown, number | undefined, string | undefined]>([
    ['Asia/Tokyo', 32_400, 'JST'],
    ['America/Sao_Paulo', -10_800, '-03'],
    ['Asia/Kathmandu', 20_700, '+0545'],
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
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36',
      { browser: 'Samsung Internet', browserVersion: '23.0', os: 'Android' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/120.0.1.2 Mobile Safari/537.36',
      { browser: 'Chrome WebView', browserVersion: '120.0.1.2', os: 'Android' },
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120.0.0.0 Safari/537.36',
      { browser: 'Chrome Headless', os: 'Linux' },
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36',
      { browser: 'Chrome', os: 'Chromium OS', osVersion: '14541.0.0' },
    ],
    [
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
      { browser: 'Firefox', browserVersion: '120.0', os: 'Ubuntu' },
    ],
    ['curl/8.0', {}],
  ])('%s', (userAgent, expected) => {
    expect(parseUserAgent(userAgent)).toMatchObject(expected);
  });

  it('are read as far as they are texts', () => {
    expect([parseUserAgent(undefined), parseUserAgent('curl/8.0')]).toEqual([{}, {}]);
  });
});

describe('an e-mail address', () => {
  it.each(['a@b.c', 'ada+1@mail.example.com', 'a@.b.c', 'ä@ö.ü', `${'a'.repeat(314)}@b.com`])('is %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    ...['', 'ada', '@b.c', 'a@', 'a@b', 'a@b.', 'a@.b', 'a@b@c.d', 'a b@c.d', 'a@b.c\n', 'a@b .c'],
    ...[`${'a'.repeat(320)}@b.c`, `a@${'.'.repeat(500_000)}@`],
  ])('is not %.40s', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});
