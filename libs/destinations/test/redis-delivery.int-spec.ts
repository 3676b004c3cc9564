import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { until } from '@weir/testing';
import { redisDelete } from '../src/kinds/redis/redis.deletion.js';
import redis from '../src/kinds/redis/redis.js';
import { hasRedis, openOutbound, type RedisServer, startRedis } from './redis.fixtures.js';
import { breakable, type OpenTestSession, openSession, refusal, refusing } from './session.fixtures.js';

const opened: OpenTestSession[] = [];
afterEach(async () => {
  for (const { session } of opened.splice(0)) await session.close();
});

(hasRedis ? describe : describe.skip)('a delivery to Redis (needs redis-server)', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis('--requirepass', 'hush');
  });
  afterAll(() => server.stop());
  afterEach(() => server.client.flushall());

  const config = (more: JsonObject = {}) => ({ address: server.address, password: 'hush', ...more });
  function open(more: JsonObject = {}, way?: Parameters<typeof openSession>[2]): OpenTestSession {
    const session = openSession(redis, config(more), way);
    opened.push(session);
    return session;
  }
  const identify = (userId: string, traits: JsonObject) => ({ type: 'identify', userId, traits });

  it('keeps the traits of a user as one hash, later ones over earlier ones', async () => {
    const { deliver, connections } = open({ prefix: 'shop' });
    const traits = { plan: 'pro', age: 41, address: { city: 'Ulm' }, none: null };
    expect(await deliver(identify('ada', traits), identify('ada', { plan: 'free' }))).toMatchObject([
      ...[{ status: 200 }, { status: 200 }],
    ]);
    expect(await deliver({ type: 'track', userId: 'ada', event: 'Paid' })).toEqual([]);
    expect(await server.client.hgetall('shop:user:ada')).toEqual({
      plan: 'free',
      age: '41',
      address: '{"city":"Ulm"}',
    });
    expect(connections).toHaveLength(1);
  });

  it('writes what the deletion of the same kind removes', async () => {
    const { deliver } = open({ prefix: 'shop' });
    await deliver(identify('ada', { plan: 'pro' }), identify('bob', { plan: 'pro' }));
    const request = {
      regulationId: 'r1',
      destinationId: 'd1',
      config: config({ prefix: 'shop' }),
      users: [{ userId: 'ada' }],
    };
    await redisDelete(request, openOutbound().outbound);
    expect(await server.client.keys('*')).toEqual(['shop:user:bob']);
  });

  it('refuses one key that holds something else, and writes the others', async () => {
    await server.client.set('user:ada', 'text');
    const results = await open().deliver(identify('ada', { a: 1 }), identify('bob', { a: 1 }));
    expect(results).toEqual([
      { status: 400, response: 'Redis answered WRONGTYPE' },
      { status: 200, response: '' },
    ]);
  });

  it('connects anew after a loss', async () => {
    const way = breakable();
    const { deliver } = open({}, way);
    await deliver(identify('ada', { a: 1 }));
    way.break();
    await until(
      'the new connection',
      async () => (await deliver(identify('ada', { a: 2 })).catch(() => []))[0]?.status === 200,
    );
    expect(await server.client.hget('user:ada', 'a')).toBe('2');
    expect(way.connections).toHaveLength(2);
  });

  it('is tried again with another password', async () => {
    const { deliver, connections } = open({ password: 'wrong' });
    for (const tries of [1, 2]) {
      const results = await deliver(identify('ada', { a: 1 }));
      expect(results).toEqual([{ status: 503, response: 'Redis answered WRONGPASS' }]);
      expect(connections).toHaveLength(tries);
    }
  });

  it('passes on that the way out refused', async () => {
    await expect(open({}, refusing()).deliver(identify('ada', { a: 1 }))).rejects.toBe(refusal);
  });
});
