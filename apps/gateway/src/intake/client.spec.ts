import { describe, expect, it } from '@jest/globals';
import { clientAddress, writeKeyAnywhere, writeKeyInHeader, writeKeyInQuery } from './client.js';

const basic = (user: string, password = '') => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const request = (authorization: string | undefined, query = {}) => ({ headers: { authorization }, query }) as never;

describe('the write key', () => {
  it('is the user of the header, whatever the password', () => {
    expect(writeKeyInHeader(request(basic('key')))).toBe('key');
    expect(writeKeyInHeader(request(basic('key', 'ignored:too')))).toBe('key');
  });

  it.each([undefined, '', 'Basic', 'Bearer key', 'Basic ???', basic(''), basic('', 'key')])(
    'is not in the header %p',
    (header) => {
      expect(() => writeKeyInHeader(request(header))).toThrow('failed to read writekey from header');
    },
  );

  it('is in the query where no header can be set; the first of several', () => {
    expect(writeKeyInQuery(request(undefined, { writeKey: 'key' }))).toBe('key');
    expect(writeKeyInQuery(request(undefined, { writeKey: ['key', 'other'] }))).toBe('key');
  });

  it.each([{}, { writeKey: '' }, { writekey: 'key' }])('is not in the query %p', (query) => {
    expect(() => writeKeyInQuery(request(basic('key'), query))).toThrow('failed to read writekey from query params');
  });

  it('is taken from the header before the query', () => {
    expect(writeKeyAnywhere(request(basic('key'), { writeKey: 'other' }))).toBe('key');
    expect(writeKeyAnywhere(request(undefined, { writeKey: 'other' }))).toBe('other');
  });
});

describe('clientAddress', () => {
  it.each([
    ['203.0.113.9, 10.0.0.1', '10.0.0.1', '203.0.113.9'],
    ['2001:db8::1', '10.0.0.1', '2001:db8::1'],
    ['not an address', '10.0.0.1', '10.0.0.1'],
    [undefined, '::ffff:10.0.0.1', '10.0.0.1'],
    [undefined, '::1', '::1'],
    [undefined, undefined, ''],
  ])('X-Forwarded-For %p from %p is %p', (forwarded, remote, expected) => {
    expect(clientAddress(forwarded, remote)).toBe(expected);
  });
});
