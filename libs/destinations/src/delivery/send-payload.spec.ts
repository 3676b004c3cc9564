import { describe, expect, it } from '@jest/globals';
import type { Outbound, OutboundRequest, Payload } from '../kind.js';
import { restPayload } from '../toolkit/request.js';
import { sendPayload } from './send-payload.js';

async function requestOf(payload: Payload, idempotencyKey?: string): Promise<OutboundRequest> {
  const sent: OutboundRequest[] = [];
  const outbound: Outbound = {
    request: async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, body: Buffer.alloc(0), truncated: false };
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  await sendPayload(payload, outbound, { ...(idempotencyKey && { idempotencyKey }) });
  return sent[0] as OutboundRequest;
}

const endpoint = 'https://api.example.com/v1?fixed=1';

describe('sendPayload', () => {
  it('adds the parameters to the query that is there', async () => {
    const params = { name: 'a b', nested: { x: 1 }, list: [1, 2], none: null };
    const { url } = await requestOf(restPayload({ method: 'GET', endpoint, params }));
    expect([...new URL(url).searchParams]).toEqual([
      ['fixed', '1'],
      ['name', 'a b'],
      ['nested', '{"x":1}'],
      ['list', '[1,2]'],
    ]);
  });

  it.each([
    [{ JSON: { a: 1 } }, 'application/json', '{"a":1}'],
    [{ JSON_ARRAY: { batch: '[{"a":1}]' } }, 'application/json', '[{"a":1}]'],
    [{ XML: { payload: '<a>1</a>' } }, 'application/xml', '<a>1</a>'],
    [{ FORM: { a: 'x y', b: { c: 1 }, d: null } }, 'application/x-www-form-urlencoded', 'a=x+y&b=%7B%22c%22%3A1%7D'],
    // A list becomes a repeated field.
    [{ FORM: { a: ['x', 'y'] } }, 'application/x-www-form-urlencoded', 'a=x&a=y'],
  ])('encodes %j', async (section, contentType, body) => {
    const request = await requestOf(restPayload({ method: 'POST', endpoint, body: section }));
    expect(request.headers['content-type']).toBe(contentType);
    expect(request.body).toBe(body);
  });

  it('sends no body when no section is filled', async () => {
    expect(await requestOf(restPayload({ method: 'DELETE', endpoint }))).not.toHaveProperty('body');
  });

  it("lets the payload's content type win and adds the idempotency key", async () => {
    const headers = { 'content-type': 'application/vnd.x+json' };
    const request = await requestOf(restPayload({ method: 'POST', endpoint, headers, body: { JSON: { a: 1 } } }), 'k1');
    expect(request.headers).toEqual({ 'content-type': 'application/vnd.x+json', 'idempotency-key': 'k1' });
  });

  it('refuses what is no URL', async () => {
    await expect(requestOf(restPayload({ method: 'POST', endpoint: 'not a url' }))).rejects.toThrow('no valid URL');
  });
});
