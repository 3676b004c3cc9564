import { describe, expect, it } from '@jest/globals';
import { isInternalName, parseHttpTarget, parseSocketTarget, URL_LENGTH_MAX } from './target.js';

const hostOf = (url: string) => parseHttpTarget(url).host;

describe('parseHttpTarget', () => {
  it('takes a URL apart', () => {
    expect(parseHttpTarget('https://Example.com:8443/a/b?c=d#e')).toEqual({
      host: 'example.com',
      port: 8443,
      secure: true,
      origin: 'https://example.com:8443',
      path: '/a/b?c=d',
    });
    expect(parseHttpTarget('http://example.com').port).toBe(80);
  });

  it.each([
    ['decimal', 'http://2130706433/', '127.0.0.1'],
    ['hex', 'http://0x7f000001/', '127.0.0.1'],
    ['octal', 'http://0177.0.0.1/', '127.0.0.1'],
    ['short', 'http://127.1/', '127.0.0.1'],
    ['percent-encoded', 'http://%31%32%37.0.0.1/', '127.0.0.1'],
    ['full-width digits', 'http://１２７.0.0.1/', '127.0.0.1'],
    ['ideographic full stops', 'http://127。0。0。1/', '127.0.0.1'],
    ['circled letters', 'http://ⓛocalhost/', 'localhost'],
    ['an address with a trailing dot', 'http://127.0.0.1./', '127.0.0.1'],
    ['a name with a trailing dot', 'https://example.com./', 'example.com'],
    ['mapped', 'http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['long form', 'http://[0:0:0:0:0:0:0:1]/', '::1'],
    ['IDNA', 'https://bücher.example.com/', 'xn--bcher-kva.example.com'],
  ])('normalises %s', (_form, url, host) => expect(hostOf(url)).toBe(host));

  it('takes a longer URL only where the caller allows it', () => {
    const url = `https://example.com/?a=${'a'.repeat(3_000)}`;
    expect(parseHttpTarget(url, 4_096).path).toHaveLength(3_004);
    expect(() => parseHttpTarget(url, 3_000)).toThrow('The URL is longer than 3000 characters');
    expect(() => parseHttpTarget(url)).toThrow(`The URL is longer than ${URL_LENGTH_MAX} characters`);
  });

  it.each([
    ['ftp://example.com', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['example.com', 'cannot be read'],
    ['https://user@example.com', 'must not hold a user name'],
    ['https://:secret@example.com', 'must not hold a user name'],
    ['https://example.com..', 'has no valid host'],
    ['https://exa!mple.com', 'has no valid host'],
    ['https://256.256.256.256', 'cannot be read'],
    ['https://[fe80::1%25eth0]/', 'cannot be read'],
    [`https://example.com/${'a'.repeat(URL_LENGTH_MAX)}`, 'is longer than'],
  ])('refuses %.40s', (url, problem) => {
    expect(() => parseHttpTarget(url)).toThrow(
      expect.objectContaining({ code: 'invalid_url', message: expect.stringContaining(problem) }),
    );
  });
});

describe('parseSocketTarget', () => {
  it.each([
    ['redis.example.com.', 'redis.example.com'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['::1', '::1'],
    ['[::1]', '::1'],
  ])('normalises %s', (host, expected) => expect(parseSocketTarget(host, 6379, false).host).toBe(expected));

  it.each(['fe80::1%eth0', 'a/b', 'a@b', 'a b', '', 'a:1', '%31%32%37.1', 'a#b', 'a?b', 'a\\b'])(
    'refuses %j',
    (host) => {
      expect(() => parseSocketTarget(host, 6379, false)).toThrow('has no valid host');
    },
  );

  it.each([0, 65_536, 1.5, Number.NaN])('refuses the port %s', (port) => {
    expect(() => parseSocketTarget('example.com', port, false)).toThrow('has no valid port');
  });
});

describe('isInternalName', () => {
  it.each([
    'localhost',
    'postgres',
    'a.svc',
    'db.prod.svc',
    'a.cluster.local',
    'metadata.google.internal',
    'x.localhost',
    'router.lan',
  ])('%s is internal', (name) => expect(isInternalName(name)).toBe(true));
  it.each(['example.com', 'local.example.com', 'mylocal.io', 'svc.example.org', '10.0.0.1', '::1'])(
    '%s is not',
    (name) => {
      expect(isInternalName(name)).toBe(false);
    },
  );
});
