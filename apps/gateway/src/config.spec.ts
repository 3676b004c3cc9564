import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readConfig, weaknessOf } from './config.js';

const env = {
  NATS_URL: 'nats://localhost:4222',
  DATABASE_URL: 'postgres://localhost/weir',
  WEIR_ENCRYPTION_KEY: Buffer.from('an encryption key of the tests..').toString('base64'),
};
const admin = { SERVICE_ADMIN_USER: 'operator', SERVICE_ADMIN_PASSWORD: 'of-the-operator' };

describe('readConfig', () => {
  it('has both planes on 8080 by default', () => {
    expect(readConfig(env)).toMatchObject({ port: 8080, planes: ['control', 'data'], readyScope: 'self' });
  });

  it('trusts no proxy by default, else those of the list', () => {
    expect(readConfig(env).trustedProxies).toEqual([]);
    expect(readConfig({ ...env, TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,192.0.2.1' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
      '192.0.2.1',
    ]);
  });

  it('refuses a production start without the admin pair', () => {
    expect(() => readConfig({ ...env, NODE_ENV: 'production' })).toThrow(/SERVICE_ADMIN_PASSWORD/);
    expect(readConfig({ ...env, ...admin, NODE_ENV: 'production' }).admin).toEqual({
      user: 'operator',
      password: 'of-the-operator',
    });
  });

  it.each([
    ['half of the admin pair', { SERVICE_ADMIN_USER: 'operator' }, /belong together/],
    ['an unknown plane', { GATEWAY_PLANES: 'control,other' }, /GATEWAY_PLANES/],
    ['a proxy that is no address', { TRUSTED_PROXIES: 'ingress' }, /TRUSTED_PROXIES/],
    ['no plane', { GATEWAY_PLANES: '' }, /GATEWAY_PLANES/],
    ['a short key', { WEIR_ENCRYPTION_KEY: 'AAAA' }, /WEIR_ENCRYPTION_KEY/],
  ])('refuses %s', (_, extra, problem) => {
    expect(() => readConfig({ ...env, ...extra })).toThrow(problem);
  });

  it.each([
    ['in production', { NODE_ENV: 'production' }, 'Operator2026'],
    ['where it can be reached', { HOST: '0.0.0.0' }, 'changeme'],
    ['where it can be reached over IPv6', { HOST: '::' }, 'aaaaaaaaaaaaaa'],
  ])(
    'refuses a password of the admin that everybody guesses %s, and says which setting to change',
    (_, extra, password) => {
      const weak = { ...env, ...admin, SERVICE_ADMIN_PASSWORD: password };
      expect(() => readConfig({ ...weak, ...extra })).toThrow(/SERVICE_ADMIN_PASSWORD: .*; take another/);
      expect(() => readConfig({ ...weak, ...extra })).not.toThrow(password);
      expect(readConfig(weak).admin?.password).toBe(password);
    },
  );

  it('never shows a value', () => {
    expect(() => readConfig({ ...env, WEIR_ENCRYPTION_KEY: 'hunter2' })).not.toThrow(/hunter2/);
  });
});

describe('weaknessOf', () => {
  it.each([
    ['admin', 'is a well-known password'],
    ['ChangeMe123', 'is a well-known password'],
    ['password2026', 'is a well-known password'],
    ['letmein', 'is a well-known password'],
    ['operator', 'is the user name'],
    ['Operator2026', 'is the user name'],
    ['short-one', 'has fewer than 12 characters'],
    ['aaaaaaaaaaaaaaaa', 'repeats the same few characters'],
    ['121212121212121212', 'repeats the same few characters'],
  ])('%p: %s', (password, weakness) => {
    expect(weaknessOf('operator', password)).toBe(weakness);
  });

  it.each(['operator-password', 'of-the-operator', 'correct horse battery', randomBytes(10).toString('hex')])(
    'takes %p',
    (password) => {
      expect(weaknessOf('operator', password)).toBeUndefined();
    },
  );
});
