import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { URL as GuestURL } from './url.js';
import { URLSearchParams as GuestParams } from './url-search-params.js';

const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/** Returns every part, or undefined if the text is not a URL. */
function partsOf(Type: typeof URL | typeof GuestURL, text: string, base?: string) {
  try {
    const url = new Type(text, base);
    return Object.fromEntries(PARTS.map((part) => [part, url[part]]));
  } catch {
    return undefined;
  }
}
const expectSame = (text: string, base?: string) =>
  expect([text, base, partsOf(GuestURL, text, base)]).toEqual([text, base, partsOf(URL, text, base)]);

const HOSTS = [
  'example.com',
  'EXAMPLE.com.',
  'a-b.c_d',
  '127.0.0.1',
  '0x7f.1',
  '010.1',
  '1.2.3.4.5',
  '256.1',
  '1.256',
  '4294967295',
  '4294967296',
  '0x',
  '1.',
  '[::1]',
  '[1:2:3:4:5:6:7:8]',
  '[1::8]',
  '[::ffff:1.2.3.4]',
  '[0:0:1:0:0:0:1:0]',
  '[::1',
  '[1:2]',
  '[::g]',
  'bücher.de',
  '日本語.jp',
  'ＡＢ.com',
  'a%41b',
  'a%00b',
  'a b',
  'a<b',
  '',
  'xn--bcher-kva.de',
  'straße.de',
  'a。b',
  '☃.net',
  '%zz',
  '1e2',
  '0x7f.0.0.0x1',
  '09.1',
];
const AUTHORITIES = ['', 'user@', 'user:pw@', ':pw@', 'u:p:q@', 'a@b@', 'u ser:p/w@', '@'];
const PORTS = ['', ':', ':80', ':443', ':0', ':08080', ':65535', ':65536', ':a', ':-1'];
const TAILS = [
  '',
  '/',
  '/a/../b',
  '/a/./b/..',
  '/%2e%2E/x',
  '\\a\\b',
  '/a b?c d#e f',
  "?q='x'",
  '#',
  '?',
  '/é"<>`{}^|',
  '?é"<>`{}#é"<>`{}',
  '//x//',
  '/a?b?c#d#e',
  '/%',
  '/..',
  '/a/..',
];
const SCHEMES = ['http', 'HTTPS', 'ws', 'ftp', 'foo', 'a+b.c-1', '1a', ''];

describe('URL', () => {
  it('is that of Node for every kind of host, port, user and tail', () => {
    for (const scheme of ['https', 'foo']) {
      for (const host of HOSTS) for (const port of ['', ':80']) expectSame(`${scheme}://${host}${port}/x`);
      for (const authority of AUTHORITIES) for (const port of PORTS) expectSame(`${scheme}://${authority}host${port}`);
    }
    for (const scheme of SCHEMES) for (const tail of TAILS) expectSame(`${scheme}://host${tail}`);
  });

  it.each([
    '  https://a.b/c \n',
    'ht\ntps://a/b',
    'https:a',
    'https:/a',
    'https:///a',
    'https:\\\\a\\b',
    'mailto:a@b.c?d=e',
    'data:text/plain, x  ',
    'data:x #y',
    'javascript:alert(1)',
    'foo:/a/../b',
    'foo:////a',
    'foo:/.//a',
    'file:///etc/passwd',
    'file://localhost/x',
    'file:/a/b',
    'file:a',
    'file://host/a',
    'foo:',
    'foo://',
    'foo:///a',
    '//a/b',
    '/a',
    'a',
    '?a',
    '#a',
    '',
    ':',
    'https:',
    'https://',
    '\0https://a',
    'https://a\tb/',
    'blob:x',
    'foo:a b ?c',
    'foo:a b #c',
  ])('%j is read as Node reads it', (text) => expectSame(text));

  it('is resolved against a base as Node does it', () => {
    const bases = [
      'https://u:p@h:1/a/b?q#f',
      'http://h',
      'foo://h/a/b',
      'foo:opaque',
      'foo:/a/b',
      'file:///a/b',
      'not a base',
    ];
    const relatives = [
      '',
      'c',
      './c',
      '../c',
      '../../../c',
      '/c',
      '//x/y',
      '\\c',
      '\\\\x\\y',
      '?r',
      '#g',
      'https:c',
      'https://z',
      'http:/c',
      'foo:c',
      'c:d',
      '///x',
      '..',
      '.',
      'a/../..',
      'file:c',
    ];
    for (const base of bases) for (const relative of relatives) expectSame(relative, base);
  });

  it('is that of Node for random texts', () => {
    const piece = fc.constantFrom(
      'http:',
      'https:',
      'x:',
      '/',
      '//',
      '\\',
      '?',
      '#',
      '@',
      ':',
      '.',
      '..',
      '%2e',
      '%41',
      'a',
      'b.c',
      '1',
      '80',
      ' ',
      '[',
      ']',
      '::',
      'é',
      '&',
      '=',
      '+',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => void expectSame(pieces.join(''))),
      { numRuns: 5_000 },
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }),
        (pieces) => void expectSame(pieces.join(''), 'https://base/a/b?c'),
      ),
      {
        numRuns: 3_000,
      },
    );
  });

  it.each([
    ['href', 'http://other/'],
    ['protocol', 'http'],
    ['protocol', 'ws:'],
    ['protocol', 'foo'],
    ['protocol', '1'],
    ['username', 'a b@'],
    ['password', 'x:y'],
    ['password', ''],
    ['host', 'new:99'],
    ['host', 'new'],
    ['host', 'b@d'],
    ['host', ''],
    ['hostname', 'other'],
    ['hostname', 'x:1'],
    ['hostname', '[::1]'],
    ['port', '8080'],
    ['port', '443'],
    ['port', ''],
    ['port', '99x'],
    ['port', 'x'],
    ['port', '70000'],
    ['pathname', 'x/../y z'],
    ['pathname', ''],
    ['pathname', '/a?b#c'],
    ['search', 'a=b c'],
    ['search', '?'],
    ['search', '?x#y'],
    ['hash', 'a b'],
    ['hash', '#'],
    ['hash', ''],
  ] as const)('setting %s to %j does what it does in Node', (part, value) => {
    for (const text of ['https://u:p@host:8443/p/q?r=s#t', 'foo://host/a', 'mailto:a@b']) {
      const [own, theirs] = [new GuestURL(text), new URL(text)];
      own[part] = value;
      theirs[part] = value;
      expect(own.href).toBe(theirs.href);
    }
  });

  it('refuses with a TypeError', () => {
    expect(() => new GuestURL('nope')).toThrow(TypeError);
    expect(() => new GuestURL('nope')).toThrow('Invalid URL');
    expect(GuestURL.canParse('nope')).toBe(false);
    expect(GuestURL.parse('nope')).toBeNull();
    expect(JSON.stringify({ url: GuestURL.parse('https://a') })).toBe('{"url":"https://a/"}');
  });

  it('lives together with its searchParams', () => {
    const url = new GuestURL('https://h/?a=1&a=2&b=%20+c');
    expect([url.searchParams.getAll('a'), url.searchParams.get('b')]).toEqual([['1', '2'], '  c']);
    url.searchParams.set('a', 'x y');
    expect(url.href).toBe('https://h/?a=x+y&b=++c');
    url.search = '?z=1';
    expect([...url.searchParams]).toEqual([['z', '1']]);
    url.searchParams.delete('z');
    expect(url.href).toBe('https://h/');
  });
});

describe('URLSearchParams', () => {
  it('reads and writes as Node does', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '&', '=', '+', '%', '2', '0', '?', ' ', '*', "'", '%C3%A9') }),
        (text) => {
          expect([...new GuestParams(text)]).toEqual([...new URLSearchParams(text)]);
          expect(String(new GuestParams(text))).toBe(String(new URLSearchParams(text)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [{ a: 1, b: 'x' }],
    [
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
    ],
    [new Map([['k', 'v']])],
    [new URLSearchParams('q=1')],
  ])('takes %p', (init) => {
    expect(String(new GuestParams(init))).toBe(String(new URLSearchParams(init as unknown as Record<string, string>)));
  });

  it('changes as Node does', () => {
    const steps = (params: URLSearchParams | GuestParams) => {
      params.append('b', '2');
      params.append('a', '3');
      params.set('b', '9');
      params.delete('c', 'no');
      params.sort();
      const seen: string[] = [];
      params.forEach((value, name) => void seen.push(name + value));
      return [
        String(params),
        seen,
        [...params.keys()],
        [...params.values()],
        params.has('a', '3'),
        params.get('z'),
        params.size,
      ];
    };
    expect(steps(new GuestParams('b=1&c=1&b=5'))).toEqual(steps(new URLSearchParams('b=1&c=1&b=5')));
  });

  it('refuses pairs that are none', () => expect(() => new GuestParams([['a']])).toThrow(TypeError));
});
