import { describe, expect, it } from '@jest/globals';
import { parseAddress, redisKey, redisSettings } from './redis.nodes.js';

describe('the address of a Redis server', () => {
  it.each([
    ['redis.example.com:6380', 'redis.example.com', 6_380],
    ['redis.example.com', 'redis.example.com', 6_379],
    [' 10.0.0.1:7000 ', '10.0.0.1', 7_000],
    ['[2001:db8::1]:7001', '2001:db8::1', 7_001],
  ])('%s is read', (address, host, port) => {
    expect(parseAddress(address)).toEqual({ host, port });
  });

  it.each(['', ':6379', 'redis://h:1', '2001:db8::1', 'h:port', 'a b'])('%j is refused', (address) => {
    expect(() => parseAddress(address)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('the settings of a Redis destination', () => {
  it('are plain by default', () => {
    expect(redisSettings({ address: 'h:1' })).toEqual({
      addresses: [{ host: 'h', port: 1 }],
      database: 0,
      password: '',
      prefix: '',
      tls: false,
    });
  });

  it('hold the choices for TLS, and no database for a cluster', () => {
    const config = { address: 'a:1,b:2', database: '3', secure: true, skipVerify: true, caCertificate: 'pem' };
    expect(redisSettings(config)).toMatchObject({ database: 3, tls: { skipVerify: true, ca: 'pem' } });
    expect(redisSettings({ ...config, clusterMode: true })).toMatchObject({
      addresses: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
      database: 0,
    });
  });

  it('refuse a database that is no number', () => {
    expect(() => redisSettings({ address: 'h:1', database: 'users' })).toThrow('database must be a number');
  });
});

describe('the key of a user', () => {
  it('begins with the prefix when there is one', () => {
    expect(redisKey({ userId: 'ada', email: 'a@b.c' }, '')).toBe('user:ada');
    expect(redisKey({ userId: 'ada' }, 'shop')).toBe('shop:user:ada');
  });
});
