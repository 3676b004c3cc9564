import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { DestinationKind, Outbound } from '../kind.js';
import { deliversThroughDataPlane, destinationKind } from '../registry.js';

const kindOf = (name: string): DestinationKind => destinationKind(name) as DestinationKind;
const closed: Outbound = {
  request: () => Promise.reject(new Error('no way out')),
  connect: () => Promise.reject(new Error('no way out')),
};
const configs: Record<string, JsonObject> = {
  KAFKA: { hostName: 'k1,k2:7', port: '9', topic: 'events' },
  NATS: { servers: 'n1', subject: 'shop.events' },
  POSTGRES: { host: 'db', database: 'shop', user: 'weir', namespace: 'own', table: 'a"b' },
  REDIS: { address: 'r1:1', prefix: 'shop' },
  S3: { bucketName: 'bucket', prefix: 'shop', accessKeyID: 'id', accessKey: 'hush' },
};
const paid = { type: 'track', event: 'Paid', userId: 'ada', anonymousId: 'anon-1', properties: { a: 1 } };

describe('an event for a kind of the data plane', () => {
  it.each([
    ['KAFKA', 'PRODUCE', 'events'],
    ['NATS', 'PUBLISH', 'shop.events'],
    ['POSTGRES', 'INSERT', '"own"."a""b"'],
    ['S3', 'PUT', 'bucket/shop/'],
  ])('is a payload for %s as it is', (name, method, endpoint) => {
    const [payload, ...more] = kindOf(name).transform(paid, configs[name] ?? {});
    expect(more).toEqual([]);
    expect(payload).toMatchObject({ version: '1', type: name, method, endpoint, userId: 'ada', body: { JSON: paid } });
  });

  it('is kept in order by the anonymous id when there is no other, and by nothing without', () => {
    const userIdOf = (event: JsonObject) => kindOf('KAFKA').transform(event, configs['KAFKA'] ?? {})[0]?.userId;
    expect(userIdOf({ type: 'page', anonymousId: 'anon-1' })).toBe('anon-1');
    expect(userIdOf({ type: 'page', userId: 7 })).toBe('7');
    expect(userIdOf({ type: 'page' })).toBeUndefined();
  });

  it.each([
    [{ type: 'track', event: 'Paid' }, 'payments'],
    [{ type: 'track', event: 'Left' }, 'events'],
    [{ type: 'page', name: 'Paid' }, 'pages'],
    [{ type: 'group' }, 'events'],
    [{ type: 'alias' }, 'events'],
  ])('has its own topic where the configuration says so: %j', (event, topic) => {
    const maps = {
      eventToTopicMap: [{ from: 'Paid', to: 'payments' }],
      eventTypeToTopicMap: [
        { from: 'page', to: 'pages' },
        { from: 'group', to: ' ' },
      ],
    };
    const config = { ...configs['KAFKA'], ...maps };
    const topicOf = (enableMultiTopic: boolean) =>
      kindOf('KAFKA').transform(event, { ...config, enableMultiTopic })[0]?.endpoint;
    expect([topicOf(true), topicOf(false)]).toEqual([topic, 'events']);
  });

  it('has the common topic of Kafka where no list names its own', () => {
    const config = { ...configs['KAFKA'], enableMultiTopic: true, eventToTopicMap: null };
    expect(kindOf('KAFKA').transform({ type: 'track', event: 'Paid' }, config)[0]?.endpoint).toBe('events');
  });

  it('becomes fields of a hash for Redis when it tells who somebody is', () => {
    const traits = { plan: 'pro', age: 0, tags: ['a'], gone: null };
    const identify = { type: 'identify', userId: ' ada ', traits };
    expect(kindOf('REDIS').transform(identify, configs['REDIS'] ?? {})).toMatchObject([
      { endpoint: 'shop:user:ada', body: { JSON: { plan: 'pro', age: '0', tags: '["a"]' } } },
    ]);
    for (const event of [paid, { ...identify, traits: {} }]) {
      expect(kindOf('REDIS').transform(event, configs['REDIS'] ?? {})).toEqual([]);
    }
    expect(() =>
      kindOf('REDIS').transform({ type: 'identify', anonymousId: 'x', traits }, configs['REDIS'] ?? {}),
    ).toThrow('userId is required');
  });

  it('cannot choose a subject with wildcards', () => {
    const config = { ...configs['NATS'], subjectByType: true };
    expect(() => kindOf('NATS').transform({ type: '>' }, config)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('a kind of the data plane', () => {
  it.each(Object.keys(configs))('%s is no matter of the Test API, and opens nothing before it has to', async (name) => {
    expect(deliversThroughDataPlane(name)).toBe(true);
    const session = kindOf(name).open?.(configs[name] ?? {}, closed);
    await session?.close();
    await session?.close();
    expect(kindOf(name).batching?.payloadsMax).toBeGreaterThan(1);
  });

  it.each<[string, JsonObject, string]>([
    ['KAFKA', { hostName: '' }, 'hostName is required'],
    ['KAFKA', { topic: '' }, 'topic is required'],
    ['KAFKA', { hostName: 'kafka://k1' }, 'hostName must be host:port'],
    ['KAFKA', { useSSH: true }, 'useSSH is not supported'],
    ['KAFKA', { convertToAvro: true }, 'convertToAvro is not supported'],
    ['KAFKA', { useSASL: true }, 'username is required'],
    ['KAFKA', { useSASL: true, username: 'u', password: 'p', saslType: 'gssapi' }, 'saslType must be'],
    ['NATS', { servers: 'nats://n1' }, 'servers must be host:port'],
    ['NATS', { subject: 'a.>' }, 'subject must be words'],
    ['POSTGRES', { host: '/var/run' }, 'host must be a name or an address'],
    ['POSTGRES', { port: 'x' }, 'port must be a number'],
    ['POSTGRES', { sslMode: 'prefer' }, 'sslMode must be'],
    ['POSTGRES', { useSSH: true }, 'useSSH is not supported'],
    ['REDIS', { useJSONModule: true }, 'useJSONModule is not supported'],
    ['S3', { accessKey: '' }, 'accessKeyID and accessKey are required'],
  ])('%s refuses %j by name', (name, wrong, message) => {
    const config = { ...configs[name], ...wrong };
    const use = () => {
      kindOf(name).transform({ ...paid, type: 'identify', traits: { a: 1 } }, config);
      kindOf(name).open?.(config, closed);
    };
    expect(use).toThrow(expect.objectContaining({ code: 'invalid', message: expect.stringContaining(message) }));
  });
});
