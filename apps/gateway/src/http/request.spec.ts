import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clientNetwork, readBasic, readBearer } from './request.js';

const encoded = (text: string) => Buffer.from(text).toString('base64');

describe('readBasic', () => {
  it.each([
    ['a user and a password', 'ada@example.com:secret', { user: 'ada@example.com', password: 'secret' }],
    ['an empty user', ':token', { user: '', password: 'token' }],
    ['an empty password', 'writeKey:', { user: 'writeKey', password: '' }],
    ['a password with colons', 'user:a:b:c', { user: 'user', password: 'a:b:c' }],
    ['both empty', ':', { user: '', password: '' }],
    ['letters beyond ASCII', 'jürgen:pässword', { user: 'jürgen', password: 'pässword' }],
  ])('reads %s', (_, text, expected) => {
    expect(readBasic(`Basic ${encoded(text)}`)).toEqual(expected);
  });

  it('takes the scheme in any case', () => {
    expect(readBasic(`bAsIc ${encoded('u:p')}`)).toEqual({ user: 'u', password: 'p' });
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['the scheme alone', 'Basic'],
    ['the scheme not at the start', `X Basic ${encoded('u:p')}`],
    ['a scheme that only contains it', `NotBasic ${encoded('u:p')}`],
    ['a scheme that begins with it', `Basically ${encoded('u:p')}`],
    ['another scheme', `Bearer ${encoded('u:p')}`],
    ['credentials in clear', 'Basic user:password'],
    ['no colon', `Basic ${encoded('user')}`],
    ['two values', `Basic ${encoded('u:p')} ${encoded('u:p')}`],
  ])('refuses %s', (_, header) => {
    expect(readBasic(header)).toBeUndefined();
  });

  it('gives back whatever was encoded', () => {
    const user = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes(':'));
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(user, text, (name, password) => {
        expect(readBasic(`Basic ${encoded(`${name}:${password}`)}`)).toEqual({ user: name, password });
      }),
    );
  });
});

describe('readBearer', () => {
  it.each([
    ['a token', 'Bearer weir_abc-_', 'weir_abc-_'],
    ['the scheme in any case', 'bearer t', 't'],
    ['a token with a colon', 'Bearer a:b', 'a:b'],
  ])('reads %s', (_, header, token) => {
    expect(readBearer(header)).toBe(token);
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Bearer a b', 'X Bearer t', 'Bearers t', 'Basic dTpw'])(
    'refuses %p',
    (header) => {
      expect(readBearer(header)).toBeUndefined();
    },
  );
});

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
