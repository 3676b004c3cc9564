import { describe, expect, it } from '@jest/globals';
import { readConfig, readDelivererConfig, readFetcherConfig } from './config.js';

const env = {
  NATS_URL: 'nats://u:p@broker.example',
  DATABASE_URL: 'postgres://u:p@db.example/weir',
  WEIR_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
};

describe('the configuration', () => {
  it('of the deliverer refuses requests to the own database and broker', () => {
    expect(readDelivererConfig(env).egress.refuse).toEqual(['broker.example:4222', 'db.example:5432']);
  });

  it('of the fetcher has neither database nor key', () => {
    const config = readFetcherConfig({ ...env, EGRESS_REFUSE: 'db.example:5432' });
    expect(JSON.stringify(config)).not.toContain(env.WEIR_ENCRYPTION_KEY);
    expect(config).not.toHaveProperty('database');
    expect(config.egress.refuse).toEqual(['broker.example:4222', 'db.example:5432']);
  });

  it('of the process that answers requests has neither key nor a way out', () => {
    const config = readConfig(env);
    expect(JSON.stringify(config)).not.toContain(env.WEIR_ENCRYPTION_KEY);
    expect(config).not.toHaveProperty('egress');
  });

  it('names every problem', () => {
    expect(() => readDelivererConfig({ NATS_URL: 'nats://x' })).toThrow(/DATABASE_URL[\s\S]*WEIR_ENCRYPTION_KEY/);
  });
});
