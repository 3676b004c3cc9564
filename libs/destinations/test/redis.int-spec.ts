import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { until } from '@weir/testing';
import { redisDelete } from '../src/kinds/redis/redis.deletion.js';
import { hasRedis, openOutbound, type RedisServer, startRedis } from './redis.fixtures.js';

const withRedis = hasRedis ? describe : describe.skip;
const requestFor = (config: JsonObject, ...userIds: string[]) => ({
  regulationId: 'r1',
  destinationId: 'd1',
  config,
  users: userIds.map((userId) => ({ userId, email: `${userId}@example.com` })),
});

withRedis('a deletion at a Redis server (needs redis-server)', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis('--requirepass', 'hush');
  });
  afterAll(() => server.stop());
  const config = () => ({ address: server.address, password: 'hush' });

  it('removes the keys of the users and nothing else', async () => {
    const keys = ['user:ada', 'user:bob', 'user:adam', 'user:ada@example.com', 'shop:user:ada', 'ada'];
    for (const key of keys) await server.client.hset(key, 'plan', 'pro');
    const { outbound, connections } = openOutbound();
    expect(await redisDelete(requestFor(config(), 'ada', 'bob', 'nobody'), outbound)).toEqual({ status: 'complete' });
    expect((await server.client.keys('*')).sort()).toEqual(keys.filter((key) => !/^user:(ada|bob)$/.test(key)).sort());
    expect(connections).toEqual([{ host: '127.0.0.1', port: server.port, tls: false, timeoutMs: expect.any(Number) }]);
  });

  it('respects prefix and database', async () => {
    await server.client.flushall();
    await server.client.multi().select(3).set('shop:user:ada', '1').set('user:ada', '1').select(0).exec();
    await server.client.set('shop:user:ada', '1');
    const outcome = await redisDelete(
      requestFor({ ...config(), prefix: 'shop', database: '3' }, 'ada'),
      openOutbound().outbound,
    );
    expect(outcome).toEqual({ status: 'complete' });
    expect(await server.client.keys('*')).toEqual(['shop:user:ada']);
    const replies = await server.client.multi().select(3).keys('*').select(0).exec();
    expect(replies?.[1]).toEqual([null, ['user:ada']]);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'the credentials were refused (WRONGPASS)'],
    ['no password', { password: '' }, 'the credentials were refused (NOAUTH)'],
    ['a database that is not there', { database: '99' }, 'Redis answered ERR'],
  ])('waits for another configuration with %s', async (_what, wrong, reason) => {
    const outcome = await redisDelete(requestFor({ ...config(), ...wrong }, 'ada'), openOutbound().outbound);
    expect(outcome).toEqual({ status: 'failed', reason });
  });

  it('closes its connection', async () => {
    await redisDelete(requestFor(config(), 'ada'), openOutbound().outbound);
    const others = async () =>
      String(await server.client.client('LIST'))
        .trim()
        .split('\n').length - 1;
    await until('the connection to close', async () => (await others()) === 0);
  });

  it('passes on that the way out refused', async () => {
    const refused = new Error('The address is not allowed');
    const outbound = { ...openOutbound().outbound, connect: () => Promise.reject(refused) };
    await expect(redisDelete(requestFor(config(), 'ada'), outbound)).rejects.toBe(refused);
  });
});

withRedis('a deletion at a Redis cluster (needs redis-server)', () => {
  const nodes: RedisServer[] = [];
  beforeAll(async () => {
    for (const slots of [
      [0, 8_191],
      [8_192, 16_383],
    ] as const) {
      const node = await startRedis('--cluster-enabled', 'yes');
      nodes.push(node);
      await node.client.call('CLUSTER', 'ADDSLOTSRANGE', ...slots);
    }
    const [first, second] = nodes;
    await first?.client.call('CLUSTER', 'MEET', '127.0.0.1', second?.port ?? 0);
    for (const { client } of nodes) {
      const info = async () => String(await client.call('CLUSTER', 'INFO'));
      await until('the cluster', async () => (await info()).includes('cluster_state:ok'));
    }
  });
  afterAll(() => Promise.all(nodes.map((node) => node.stop())));

  it('finds the keys on every node, by connections that all pass the way out', async () => {
    const userIds = Array.from({ length: 40 }, (_, index) => `user-${index}`);
    const held = await Promise.all(
      nodes.map(async ({ client }) => {
        const written = userIds.map((userId) => client.set(`user:${userId}`, '1').catch(() => undefined));
        return (await Promise.all(written)).filter(Boolean).length;
      }),
    );
    expect(held.every((count) => count > 0) && held.reduce((a, b) => a + b)).toBe(40);
    const { outbound, connections } = openOutbound();
    const config = { address: `127.0.0.1:1,${nodes[0]?.address}`, clusterMode: true, database: '5' };
    expect(await redisDelete(requestFor(config, ...userIds), outbound)).toEqual({ status: 'complete' });
    for (const { client } of nodes) expect(await client.dbsize()).toBe(0);
    expect(new Set(connections.map(({ port }) => port))).toEqual(new Set([1, ...nodes.map(({ port }) => port)]));
  });
});
