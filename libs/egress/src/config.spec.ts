import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { egressConfig, egressEnv } from './config.js';

const read = (env: Record<string, string>) => z.object(egressEnv).parse(env);

describe('the settings of egress', () => {
  it('always refuse the own database and broker, with their default ports, beside what is named', () => {
    const own = ['nats://u:p@broker.example,tls://broker.example:4333', 'postgres://u:p@db.example/weir'];
    expect(egressConfig(read({ EGRESS_REFUSE: 'replica.example:5432, other:1' }), own).refuse).toEqual([
      'broker.example:4222',
      'broker.example:4333',
      'db.example:5432',
      'replica.example:5432',
      'other:1',
    ]);
  });

  it('open nothing by default', () => {
    expect(egressConfig(read({}), []).allowCidrs).toEqual([]);
    expect(egressConfig(read({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8, fd00::/8' }), []).allowCidrs).toHaveLength(2);
  });
});
