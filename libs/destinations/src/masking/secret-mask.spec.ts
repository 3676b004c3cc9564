import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { LiteralSearch } from './literal-search.js';
import { Ranges } from './ranges.js';
import { SecretMask } from './secret-mask.js';
import { unescaped } from './unescaped.js';

const masked = <T>(value: T, ...secrets: string[]): T => new SecretMask(secrets).in(value);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const everyByte = (text: string, form: (hex: string) => string) =>
  [...Buffer.from(text)].map((byte) => form(byte.toString(16).padStart(2, '0'))).join('');

describe('a secret is hidden', () => {
  it.each<[string, unknown, unknown]>([
    ['as the whole text', 'k-123456', '***'],
    ['inside a text', 'key=k-123456&x=1', 'key=***&x=1'],
    ['twice', 'k-123456, k-123456!', '***, ***!'],
    ['as a key', { 'k-123456': 1 }, { '***': 1 }],
    ['deep inside', { a: [{ b: 'Bearer k-123456' }] }, { a: [{ b: 'Bearer ***' }] }],
    ['in upper case', 'no key K-123456', 'no key ***'],
  ])('%s', (_, value, shown) => {
    expect(masked(value, 'k-123456')).toEqual(shown);
  });

  it.each<[string, unknown]>([
    ['texts, numbers and the rest', { a: [1, null, true, 'plain', 'k-12345'], b: {} }],
    ['an empty text', ''],
    ['half a character', '\ud83c'],
  ])('and nothing else: %s', (_, value) => {
    expect(masked(value, 'k-123456')).toEqual(value);
  });

  it('as a number too', () => {
    expect(masked({ pin: 471_147, other: 5 }, '471147')).toEqual({ pin: '***', other: 5 });
  });

  it('whole, where it holds another one', () => {
    expect(masked('x abcdefg y abcd', 'abcd', 'abcdefg')).toBe('x *** y ***');
    expect(masked('x abcdefgh y', 'abcdef', 'defgh')).toBe('x *** y');
  });

  it.each([
    ['a JSON text', '{"h":"a\\"b c"}', '{"h":"***"}'],
    ['JSON in JSON', '"{\\"h\\":\\"a\\\\\\"b c\\"}"', '"{\\"h\\":\\"***\\"}"'],
    ['JSON with every character escaped', 'x \\u0061\\u0022\\u0062\\u0020\\u0063 y', 'x *** y'],
    ['an address', '/x?h=a%22b%20c&y', '/x?h=***&y'],
    ['an address in lower case digits', '/x?h=a%22b%20c', '/x?h=***'],
    ['a form', 'h=a%22b+c&y=1', 'h=***&y=1'],
    ['an address in an address', '/x?next=%2Fy%3Fh%3Da%2522b%2520c', '/x?next=%2Fy%3Fh%3D***'],
    ['an address with every byte escaped', `h=${everyByte('a"b c', (hex) => `%${hex}`)}.`, 'h=***.'],
    ['an address in JSON', '{"url":"\\/x?h=a%22b%20c"}', '{"url":"\\/x?h=***"}'],
    ['HTML', '<p>a&quot;b c</p> a&#34;b&#x20;c', '<p>***</p> ***'],
  ])('in %s', (_, text, shown) => {
    expect(masked(text, 'a"b c')).toBe(shown);
  });

  it.each(['pässwörd', '密码密码', 'pass🎉word', 'a%41b\\"c&amp;d', 'a b+c-d_e/f=='])(
    'with characters such as in %j',
    (secret) => {
      const forms = [secret, json(secret), encodeURIComponent(secret), base64(secret), base64(`ada:${secret}`)];
      forms.push(
        JSON.stringify(secret).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      );
      forms.push(json(encodeURIComponent(secret)), encodeURIComponent(json(secret)), json(json(secret)));
      for (const form of forms) expect(masked(`<${form}>`, secret)).toMatch(/^<"?\*\*\*"?>$/);
    },
  );

  it('in Base64, with whatever stands before and behind it', () => {
    const secret = 's3cret';
    for (const user of ['', 'a', 'ad', 'ada', 'ada@example.com/token', 'apiKey']) {
      for (const rest of ['', '!', '!!', ' and more']) {
        const pair = `${user}:${secret}${rest}`;
        expect(masked(`Basic ${base64(pair)} .`, secret)).toBe('Basic *** .');
        expect(masked(`Basic ${Buffer.from(pair).toString('base64url')} .`, secret)).toBe('Basic *** .');
        expect(masked(`{"auth":"${base64(pair)}"}`, secret)).toBe('{"auth":"***"}');
      }
    }
  });

  it('in hexadecimal digits', () => {
    const hex = Buffer.from('s3cret').toString('hex');
    expect(masked(`${hex} ${hex.toUpperCase()}`, 's3cret')).toBe('*** ***');
    expect(masked(Buffer.from('ada:s3cret').toString('hex'), 's3cret')).toBe('6164613a***');
  });

  it.each([
    ['behind a scheme', 'Bearer sk_live_x', 'no key sk_live_x.', 'no key ***.'],
    ['behind a name', 'Token token=sk_live_x', 'no key "sk_live_x"', 'no key "***"'],
    ['behind a scheme, in Base64', 'Bearer sk_live_x', `Basic ${base64('ada:sk_live_x')}`, 'Basic ***'],
    ['of a stored pair', `Basic ${base64('ada:s3cret')}`, 'ada:s3cret, or s3cret', '***, or ***'],
    [
      'of an address',
      'https://hooks.example.com/a/b/t0kent0ken',
      'no route /a/b/t0kent0ken, t0kent0ken',
      'no route ***, ***',
    ],
    ['of a query', 'https://hooks.example.com/a?sig=t0kent0ken', 'sig t0kent0ken', 'sig ***'],
    ['of a key file', JSON.stringify({ private_key: 'k3yk3yk3y', n: 1 }), 'k3yk3yk3y', '***'],
  ])('in part: %s', (_, secret, text, shown) => {
    expect(masked(text, secret)).toBe(shown);
  });

  it('at the end of a text that was cut there', () => {
    const filler = 'x'.repeat(20_000);
    const secret = 'sk_live_0123456789';
    for (let length = 4; length < secret.length; length += 1) {
      expect(masked(`${filler} ${secret.slice(0, length)}`, secret)).toBe(`${filler} ***`);
    }
    expect(masked(`x ${secret.slice(0, 6)}`, secret)).toBe('x sk_liv');
  });

  it('although it is long, and by its beginning', () => {
    const secret = Array.from({ length: 500 }, (_, index) => `part${index}`).join('');
    expect(masked(`<${secret}>`, secret)).toBe('<***>');
    expect(masked(`<${base64(`ada:${secret}`)}>`, secret)).toBe('<***>');
  });
});

describe('a secret below four characters', () => {
  it('is hidden as a text and as a word, and never tears words apart', () => {
    expect(masked({ a: 'banana', b: 'a', c: 'not a word', d: '"a"' }, 'a')).toEqual({
      ...{ a: 'banana', b: '***' },
      ...{ c: 'not *** word', d: '"***"' },
    });
    expect(masked('key=abc&abcd=xabc', 'abc')).toBe('key=***&abcd=xabc');
  });

  it('of three is hidden in Base64 behind a user too', () => {
    for (const user of ['', 'a', 'ad', 'ada']) expect(masked(base64(`${user}:abc`), 'abc')).toBe('***');
  });
});

describe('any secret', () => {
  const ENCODINGS: Record<string, (text: string) => string> = {
    'as it is': (text) => text,
    JSON: json,
    'an address': encodeURIComponent,
    'an address, every byte': (text) => everyByte(text, (hex) => `%${hex.toUpperCase()}`),
    'a form': (text) => new URLSearchParams({ k: text }).toString().slice(2),
    HTML: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  };
  const encoding = fc.constantFrom(...Object.values(ENCODINGS));
  const secret = fc
    .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 })
    .filter((text) => text.trim().length >= 8);
  const around = fc.string({ unit: fc.constantFrom('x', ' ', '"', '\\', '%', '&', '{'), maxLength: 12 });

  it('is hidden in any three encodings of one another', () => {
    fc.assert(
      fc.property(secret, fc.array(encoding, { maxLength: 3 }), around, around, (text, encodings, before, after) => {
        const encoded = encodings.reduce((soFar, encode) => encode(soFar), text.trim());
        const shown = masked(`${before} ${encoded} ${after}`, text);
        expect(shown).toContain('***');
        expect(shown).not.toContain(encoded);
      }),
      { numRuns: 3_000 },
    );
  });

  it('changes nothing of a text that it does not stand in', () => {
    fc.assert(
      fc.property(
        secret,
        fc.string({ unit: fc.constantFrom('q', '%', '\\', '&', ';', '\u00e9', '🎉'), maxLength: 80 }),
        (text, other) => {
          expect(masked(other, `${text}zzzz`)).toBe(other);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the work of hiding secrets', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** The same bytes, with a count of reads. */
  function counted(bytes: Uint8Array) {
    const count = { bytes, looks: 0 };
    count.bytes = new Proxy(bytes, {
      get(target, key) {
        if (/^\d+$/.test(String(key))) count.looks += 1;
        const value = Reflect.get(target, key) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return count;
  }

  it.each(['a', '%61', '\\u0061', 'aaaaaaaab', '%', '\\', '&#', 'YWFh'])(
    'is one pass a level of escapes, however much of the text is nearly a secret: %s',
    (unit) => {
      const secrets = Array.from({ length: 45 }, (_, index) => `${'a'.repeat(8_000)}${index}`);
      const mask = new SecretMask([...secrets, 'aaab', `${'a'.repeat(31)}b`]);
      const passes = jest.spyOn(LiteralSearch.prototype, 'run');
      mask.in(unit.repeat(65_536 / unit.length));
      expect(passes.mock.calls.length).toBeLessThanOrEqual(5);
    },
  );

  it('is one look a byte for a pass', () => {
    const prefixes = ['a'.repeat(32), `${'a'.repeat(31)}b`, 'aaab'].map((text) => Buffer.from(text));
    const search = new LiteralSearch(prefixes.map((prefix) => ({ label: 0, prefix, length: prefix.length })));
    const text = counted(Buffer.from('a'.repeat(10_000)));
    search.run(text.bytes, () => undefined);
    expect(text.looks).toBe(10_000);
  });

  it.each(['%61', '%', '\\u0061', '\\ud83c\\udf89', '\\', '&#97;', '&#', '&abcdefgh'])(
    'is a fixed number of looks a byte where escapes are taken off: %s',
    (unit) => {
      const text = counted(Buffer.from(unit.repeat(1_000)));
      unescaped(text);
      expect(text.looks).toBeLessThan(20 * unit.length * 1_000);
    },
  );

  it('is a fixed number of looks a byte around what stands in Base64, however often something does', () => {
    const length = 9_000;
    const text = counted(new Uint8Array(length));
    const ranges = new Ranges();
    for (let at = 0; at < length; at += 3) {
      ranges.add(at, at + 3);
      ranges.widenLast(text.bytes, new Uint8Array(256).fill(1), 0x3d);
    }
    expect(text.looks).toBeLessThan(4 * length);
  });
});
