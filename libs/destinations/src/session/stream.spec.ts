import { describe, expect, it } from '@jest/globals';
import { hostPorts, tlsOf } from './stream.js';

describe('the addresses of servers', () => {
  it.each([
    ['a.example', [{ host: 'a.example', port: 9 }]],
    [
      'a.example:7, b.example',
      [
        { host: 'a.example', port: 7 },
        { host: 'b.example', port: 9 },
      ],
    ],
    [
      '[2001:db8::1]:7,10.0.0.1',
      [
        { host: '2001:db8::1', port: 7 },
        { host: '10.0.0.1', port: 9 },
      ],
    ],
  ])('%s are read', (servers, expected) => {
    expect(hostPorts({ servers }, 'servers', 9)).toEqual(expected);
  });

  it.each(['', ' ', 'nats://a:1', 'user:pass@a', 'a:port', '2001:db8::1', 'a b', 'a,,b'])(
    '%j are refused',
    (servers) => {
      expect(() => hostPorts({ servers }, 'servers', 9)).toThrow(expect.objectContaining({ code: 'invalid' }));
    },
  );
});

describe('the choices for TLS', () => {
  it('are none without, and hold authority and leniency with', () => {
    expect(tlsOf({ skipVerify: true }, false)).toBe(false);
    expect(tlsOf({ caCertificate: 'pem' }, true)).toEqual({ skipVerify: false, ca: 'pem' });
    expect(tlsOf({ skipVerify: true }, true)).toEqual({ skipVerify: true });
  });
});
