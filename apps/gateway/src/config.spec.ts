import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

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
    ['no plane', { GATEWAY_PLANES: '' }, /GATEWAY_PLANES/],
    ['a short key', { WEIR_ENCRYPTION_KEY: 'AAAA' }, /WEIR_ENCRYPTION_KEY/],
  ])('refuses %s', (_, extra, problem) => {
    expect(() => readConfig({ ...env, ...extra })).toThrow(problem);
  });

  it('never shows a value', () => {
    expect(() => readConfig({ ...env, WEIR_ENCRYPTION_KEY: 'hunter2' })).not.toThrow(/hunter2/);
  });
});
