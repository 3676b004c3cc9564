import { describe, expect, it, jest } from '@jest/globals';
import type { DestinationKind, Outbound, OutboundRequest, SessionItem } from '../kind.js';
import http from '../kinds/http/http.js';
import { batchLists, jsonRequest } from '../toolkit/index.js';
import { batchSession, sessionOf } from './batch-session.js';

const rule = batchLists(['events'], { itemsMax: 2, bytesMax: 1_000 });
const item = (event: unknown, path = 'in', key = `k${String(event)}`): SessionItem => ({
  payload: jsonRequest(`https://api.example.com/${path}`, { events: [event] }),
  idempotencyKey: key,
});

function answering(statuses: (number | Error)[]) {
  const sent: OutboundRequest[] = [];
  const outbound = {
    request: async (request: OutboundRequest) => {
      const status = statuses[sent.length] ?? 200;
      sent.push(request);
      if (status instanceof Error) throw status;
      return { status, headers: {}, body: Buffer.from(''), truncated: false };
    },
  } as unknown as Outbound;
  const bodies = () => sent.map(({ url, body }) => [new URL(url).pathname, JSON.parse(String(body)).events]);
  return { outbound, sent, bodies };
}
const statusesOf = (results: { status: number }[]) => results.map(({ status }) => status);

describe('a session that batches', () => {
  it('joins payloads of one key within the limits and keeps their results in order', async () => {
    const { outbound, bodies } = answering([200, 500, 200]);
    const items = [item(1), item(2, 'other'), item(3), item(4)];
    const results = await batchSession(rule, {}, {}, outbound).deliver(items);
    expect(bodies()).toEqual([
      ['/in', [1, 3]],
      ['/other', [2]],
      ['/in', [4]],
    ]);
    expect(statusesOf(results)).toEqual([200, 500, 200, 200]);
  });

  it('sends the payloads of a refused batch one by one', async () => {
    const { outbound, bodies } = answering([400, 200, 422]);
    expect(statusesOf(await batchSession(rule, {}, {}, outbound).deliver([item(1), item(2)]))).toEqual([200, 422]);
    expect(bodies()).toEqual([
      ['/in', [1, 2]],
      ['/in', [1]],
      ['/in', [2]],
    ]);
  });

  it('begins no request after its deadline, and keeps the results that it has', async () => {
    const { outbound, sent } = answering([400, 200]);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => sent.length * 30);
    const items = [item(1), item(2)];
    const results = await batchSession(rule, {}, {}, outbound).deliver(items, { deadline: 50 });
    clock.mockRestore();
    expect(statusesOf(results)).toEqual([200, 504]);
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([50, 20]);
  });

  it('goes by the answer where it tells payloads apart', async () => {
    const { outbound, sent } = answering([400]);
    const telling = { ...rule, outcomes: () => [{ status: 200 }, { status: 400, response: 'too old' }] };
    const results = await batchSession(telling, {}, {}, outbound).deliver([item(1), item(2)]);
    expect(results).toMatchObject([{ status: 200 }, { status: 400, response: 'too old' }]);
    expect(sent).toHaveLength(1);
  });

  it.each([401, 403, 408, 429, 503])('leaves a batch answered with %i as it is', async (status) => {
    const { outbound, sent } = answering([status]);
    expect(statusesOf(await batchSession(rule, {}, {}, outbound).deliver([item(1), item(2)]))).toEqual([
      status,
      status,
    ]);
    expect(sent).toHaveLength(1);
  });

  it('has one key for a batch, the same for the same payloads', async () => {
    const { outbound, sent } = answering([]);
    const session = batchSession(rule, {}, {}, outbound);
    await session.deliver([item(1), item(2)]);
    await session.deliver([item(1), item(2)]);
    await session.deliver([item(1)]);
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe(keys[1]);
    expect([keys[0] === 'k1', keys[2]]).toEqual([false, 'k1']);
  });

  it('rejects when nothing arrived, and tells what did otherwise', async () => {
    const lost = new Error('unreachable');
    await expect(batchSession(rule, {}, {}, answering([lost]).outbound).deliver([item(1)])).rejects.toBe(lost);
    const results = await batchSession(rule, {}, {}, answering([200, lost]).outbound).deliver([
      item(1),
      item(2, 'other'),
    ]);
    expect(statusesOf(results)).toEqual([200, 503]);
  });
});

describe('sessionOf', () => {
  const { outbound } = answering([]);
  const kind = http as DestinationKind;

  it('follows the configuration', () => {
    expect(sessionOf(kind, {}, outbound)).toBeUndefined();
    expect(sessionOf(kind, { isBatchingEnabled: true, maxBatchSize: 5 }, outbound)?.batching).toMatchObject({
      payloadsMax: 5,
    });
  });
});
