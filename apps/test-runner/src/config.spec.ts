import { expect, it } from '@jest/globals';
import { readConfig } from './config.js';

const env = {
  NATS_URL: 'nats://u:p@broker.example',
  DATABASE_URL: 'postgres://u:p@db.example/weir',
  WEIR_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
};

it('the configuration refuses requests to the own database and broker', () => {
  expect(readConfig(env).egress.refuse).toEqual(['broker.example:4222', 'db.example:5432']);
});

it('the configuration names every problem', () => {
  expect(() => readConfig({ NATS_URL: 'nats://x' })).toThrow(/DATABASE_URL[\s\S]*WEIR_ENCRYPTION_KEY/);
});
