import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { Outbound, OutboundRequest, Payload } from '../kind.js';
import { webhookDeliver } from './webhook.deliver.js';
import { webhookTransform } from './webhook.transform.js';

const config = { webhookUrl: 'https://hooks.example.com/in', headers: [{ from: 'x-key', to: 'secret-1' }] };

async function deliver(event: JsonObject): Promise<OutboundRequest> {
  const sent: OutboundRequest[] = [];
  const outbound: Outbound = {
    request: async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, body: Buffer.alloc(0), truncated: false };
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  const [payload] = webhookTransform({ type: 'track', ...event }, config);
  await webhookDeliver(payload as Payload, config, outbound, { idempotencyKey: 'k1' });
  return sent[0] as OutboundRequest;
}

describe('the configured headers', () => {
  it.each([[{}], [{ appendPath: '/more' }], [{ fullPath: 'https://hooks.example.com/other' }]])(
    'go to the configured origin: %j',
    async (event) => {
      expect((await deliver(event)).headers).toMatchObject({ 'x-key': 'secret-1', 'idempotency-key': 'k1' });
    },
  );

  it.each([
    [{ fullPath: 'https://evil.example/in' }],
    [{ fullPath: 'http://hooks.example.com/in' }],
    [{ fullPath: 'https://hooks.example.com', appendPath: '.evil.example/' }],
    [{ fullPath: 'https://hooks.example.com', appendPath: '@evil.example/' }],
  ])('do not go where an event points: %j', async (event) => {
    expect(JSON.stringify((await deliver(event)).headers)).not.toContain('secret-1');
  });
});
