import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { Outbound, OutboundRequest } from '../../kind.js';
import { deletionOutcome, deletionRequests, webhookDelete } from './webhook.deletion.js';

const users = [{ userId: 'ada' }, { userId: 'bob', email: 'bob@example.com' }];
const requestFor = (config: JsonObject, who: JsonObject[] = users) => ({
  ...{ regulationId: 'r1', destinationId: 'd1' },
  ...{ config, users: who },
});
const list = { deletionUrl: 'https://hooks.example.com/forget', headers: [{ from: 'X-Key', to: 'hush' }] };
const path = { ...list, deletionUrl: 'https://hooks.example.com/users/{userId}?hard=1' };

function answering(...statuses: number[]): { outbound: Outbound; sent: OutboundRequest[] } {
  const sent: OutboundRequest[] = [];
  const outbound: Outbound = {
    request: async (request) => {
      sent.push(request);
      return { status: statuses[sent.length - 1] ?? 200, headers: {}, body: Buffer.alloc(0), truncated: false };
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  return { outbound, sent };
}

describe('the requests of a webhook deletion', () => {
  it('are one POST with every user and all of their identifiers', () => {
    const [request, ...more] = deletionRequests(requestFor(list));
    expect(more).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', url: list.deletionUrl });
    expect(request?.headers).toEqual({ 'x-key': 'hush', 'content-type': 'application/json' });
    expect(JSON.parse(request?.body ?? '')).toEqual({ regulationId: 'r1', destinationId: 'd1', users });
  });

  it('are one DELETE for each user when the address has a place for the id', () => {
    const requests = deletionRequests(requestFor(path));
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE https://hooks.example.com/users/ada?hard=1',
      'DELETE https://hooks.example.com/users/bob?hard=1',
    ]);
    expect(requests.map(({ body }) => body)).toEqual([undefined, undefined]);
  });

  it('carry the idempotency key, so that a repeat can be told', () => {
    const [request] = deletionRequests({ ...requestFor(list), idempotencyKey: 'k1' });
    expect(request?.headers['idempotency-key']).toBe('k1');
  });

  it.each([
    ['../admins', '..%2Fadmins'],
    ['a b/c?d#e', 'a%20b%2Fc%3Fd%23e'],
    ['50%', '50%25'],
    ['$&', '%24%26'],
    ['ключ', '%D0%BA%D0%BB%D1%8E%D1%87'],
  ])('encode %j as one segment of the path', (userId, segment) => {
    const [request] = deletionRequests(requestFor(path, [{ userId }]));
    expect(request?.url).toBe(`https://hooks.example.com/users/${segment}?hard=1`);
    expect(new URL(request?.url ?? '').pathname.split('/')).toHaveLength(3);
  });

  it.each(['.', '..', '\ud800'])('are refused for the id %j, which no address can hold', (userId) => {
    expect(() => deletionRequests(requestFor(path, [{ userId }]))).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    );
  });
});

describe('the answer to a webhook deletion', () => {
  it.each([
    [200, 'complete'],
    [204, 'complete'],
    [404, 'complete'],
    [429, 'failed'],
    [500, 'failed'],
    [503, 'failed'],
    [302, 'aborted'],
    [400, 'aborted'],
    [401, 'aborted'],
    [410, 'aborted'],
  ])('%d means %s', (status, expected) => {
    expect(deletionOutcome({ status, headers: {} }, 0).status).toBe(expected);
  });

  it('says how long to wait', () => {
    expect(deletionOutcome({ status: 429, headers: { 'retry-after': '7' } }, 0)).toMatchObject({ retryAfterMs: 7_000 });
  });
});

describe('a webhook deletion', () => {
  it('is not supported without an address for it', async () => {
    const { outbound, sent } = answering();
    expect(await webhookDelete(requestFor({ webhookUrl: 'https://hooks.example.com/in' }), outbound)).toEqual({
      status: 'not_supported',
      reason: 'deletionUrl is not set in its configuration',
    });
    expect(sent).toEqual([]);
  });

  it('is complete when every user is', async () => {
    const { outbound, sent } = answering(204, 404);
    expect(await webhookDelete(requestFor(path), outbound)).toEqual({ status: 'complete' });
    expect(sent).toHaveLength(2);
  });

  it('stops at the first user that fails, and its reason holds no identifier', async () => {
    const { outbound, sent } = answering(500);
    const outcome = await webhookDelete(requestFor(path), outbound);
    expect(outcome).toEqual({ status: 'failed', reason: 'the deletion address answered 500' });
    expect(sent).toHaveLength(1);
  });
});
