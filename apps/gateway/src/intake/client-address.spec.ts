import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './client-address.js';

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
