import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { placeholdersIn } from './placeholders.js';

const KEY = randomBytes(32).toString('base64');

describe('placeholdersIn', () => {
  it.each([
    ['a well-known password', { SERVICE_ADMIN_PASSWORD: 'ChangeMe123' }],
    ['a well-known password of the broker', { NATS_URL: 'nats://gateway:password@broker:4222' }],
    ['it in the second server of a cluster', { NATS_URL: 'nats://a:4222,nats://gateway:password@b:4222' }],
    ['a password that is the user', { DATABASE_URL: 'postgres://weir_gateway:weir_gateway@db/weir' }],
    ['a key of zeros', { WEIR_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }],
    ['a new key of one byte', { WEIR_ENCRYPTION_KEY: `${Buffer.alloc(32, 7).toString('base64')},${KEY}` }],
    ['a pepper of one byte', { REGULATION_PEPPER: Buffer.alloc(32, 7).toString('base64') }],
  ])('finds %s', (_, values) => {
    expect(placeholdersIn(values)).toEqual(Object.keys(values));
  });

  it('leaves alone what is nobody’s guess, and what is no secret', () => {
    const values = {
      NATS_URL: 'tls://broker:4222',
      DATABASE_URL: `postgres://weir_gateway:${randomBytes(16).toString('hex')}@db/weir`,
      WEIR_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SERVICE_ADMIN_USER: 'admin',
      SERVICE_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      OPS_PORT: 9090,
    };
    expect(placeholdersIn(values)).toEqual([]);
  });
});
