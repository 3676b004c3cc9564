import { describe, expect, it } from '@jest/globals';
import { readConfig, readFetcherConfig } from './config.js';

const env = {
  NATS_URL: 'nats://u:p@broker.example',
  DATABASE_URL: 'postgres://u:p@db.example/weir',
  WEIR_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
};

describe('the configuration', () => {
  it('always refuses the own database and broker, beside what is named', () => {
    const config = readConfig({ ...env, EGRESS_REFUSE: 'replica.example:5432, other:1' });
    expect(config.egress.refuse).toEqual(['broker.example:4222', 'db.example:5432', 'replica.example:5432', 'other:1']);
  });

  it('opens nothing unless told', () => {
    expect(readConfig(env).egress.allowCidrs).toEqual([]);
    expect(readConfig({ ...env, EGRESS_ALLOW_CIDRS: '127.0.0.0/8, fd00::/8' }).egress.allowCidrs).toHaveLength(2);
  });

  it("of user code's way out has neither database nor key", () => {
    const config = readFetcherConfig({ ...env, EGRESS_REFUSE: 'db.example:5432' });
    expect(JSON.stringify(config)).not.toContain(env.WEIR_ENCRYPTION_KEY);
    expect(config).not.toHaveProperty('databaseUrl');
    expect(config.egress.refuse).toEqual(['broker.example:4222', 'db.example:5432']);
  });

  it('names every problem', () => {
    expect(() => readConfig({ NATS_URL: 'nats://x' })).toThrow(/DATABASE_URL[\s\S]*WEIR_ENCRYPTION_KEY/);
  });
});
