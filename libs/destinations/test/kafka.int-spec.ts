import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { until } from '@weir/testing';
import kafka from '../src/kinds/kafka/kafka.js';
import { canStartKafka, type KafkaBroker, startKafka } from './kafka.fixtures.js';
import { breakable, itemsFor, type OpenTestSession, openSession, refusal, refusing } from './session.fixtures.js';

const opened: OpenTestSession[] = [];
afterEach(async () => {
  for (const { session } of opened.splice(0)) await session.close();
});
function open(config: JsonObject, way?: Parameters<typeof openSession>[2]): OpenTestSession {
  const session = openSession(kafka, config, way);
  opened.push(session);
  return session;
}

const withKafka = canStartKafka(process.env['WEIR_TEST_FULL'] === '1') ? describe : describe.skip;

withKafka('a delivery to Kafka (needs Go, and WEIR_TEST_FULL=1 to build the broker once)', () => {
  let broker: KafkaBroker;
  const config = (more: JsonObject = {}) => ({ hostName: broker.address, topic: 'events', ...more });
  beforeAll(async () => {
    broker = await startKafka();
  });
  afterAll(() => broker.stop());

  it('keeps the order of each user, and every broker is reached by the way out', async () => {
    // Enough users that one server never leads all their partitions.
    const users = Array.from({ length: 40 }, (_, index) => `u${index}`);
    const events = Array.from({ length: 200 }, (_, n) => ({ type: 'track', userId: `u${n % users.length}`, n }));
    const { session, connections } = open(config());
    const items = itemsFor(kafka, config(), [...events, { type: 'track', n: events.length }]);
    expect(await session.deliver(items)).toEqual(items.map(() => ({ status: 200, response: '' })));
    const read = await broker.read('events', items.length);
    for (const userId of users) {
      const ofUser = read.filter(({ key }) => key === userId).map(({ value }) => JSON.parse(value));
      expect(ofUser).toEqual(events.filter((event) => event.userId === userId));
    }
    expect(read.filter(({ key }) => key === null)).toHaveLength(1);
    expect(new Set(read.map(({ id }) => id))).toEqual(new Set(items.map(({ idempotencyKey }) => idempotencyKey)));
    expect(new Set(connections.map(({ port }) => port)).size).toBe(2);
  });

  it('chooses the topic by name and type where asked', async () => {
    const more = { enableMultiTopic: true, eventToTopicMap: [{ from: 'Paid', to: 'payments' }] };
    const { deliver } = open(config(more));
    expect(await deliver({ type: 'track', event: 'Paid' })).toMatchObject([{ status: 200 }]);
    expect(await broker.read('payments', 1)).toEqual([
      expect.objectContaining({ value: '{"type":"track","event":"Paid"}' }),
    ]);
  });

  it('is tried again while the topic is not there', async () => {
    const results = await open(config({ topic: 'missing' })).deliver({ type: 'page' });
    expect(results).toEqual([{ status: 503, response: 'Kafka answered UNKNOWN_TOPIC_OR_PARTITION' }]);
  });

  it('refuses an event that is too large for a broker, and no other', async () => {
    const large = { type: 'page', userId: 'u2', text: 'x'.repeat(1_200_000) };
    const { deliver } = open(config({ topic: 'payments' }));
    const tooLarge = { status: 400, response: 'Kafka answered MESSAGE_TOO_LARGE' };
    expect(await deliver({ type: 'page', userId: 'u1' }, large, { type: 'page', userId: 'u3' })).toEqual([
      { status: 200, response: '' },
      tooLarge,
      { status: 200, response: '' },
    ]);
    expect(await deliver(large)).toEqual([tooLarge]);
  });

  it('connects anew after a loss', async () => {
    const way = breakable();
    const { deliver } = open(config(), way);
    await deliver({ type: 'page' });
    const before = way.connections.length;
    way.break();
    await until('the new connection', async () => (await deliver({ type: 'page' }))[0]?.status === 200);
    expect(way.connections.length).toBeGreaterThan(before);
  });

  it('passes on that the way out refused', async () => {
    await expect(open(config(), refusing()).deliver({ type: 'page' })).rejects.toBe(refusal);
  });

  it('takes nothing once it is closed', async () => {
    const { session, deliver } = open(config());
    await session.close();
    expect(await deliver({ type: 'page' })).toMatchObject([{ status: 503 }]);
  });
});

withKafka('a delivery to Kafka with a login', () => {
  let broker: KafkaBroker;
  beforeAll(async () => {
    broker = await startKafka('-sasl');
  });
  afterAll(() => broker.stop());

  it.each(['plain', 'sha256', 'sha512'])('by %s', async (saslType) => {
    const login = { useSASL: true, saslType, username: 'weir', password: 'hush' };
    const { deliver } = open({ hostName: broker.address, topic: 'events', ...login });
    expect(await deliver({ type: 'page' })).toMatchObject([{ status: 200 }]);
  });

  it('is tried again with another password, of which the reason says nothing', async () => {
    const login = { useSASL: true, saslType: 'plain', username: 'weir', password: 'wrong-hush' };
    const { deliver } = open({ hostName: broker.address, topic: 'events', ...login });
    const [result] = await deliver({ type: 'page' });
    expect(result).toEqual({ status: 503, response: expect.stringContaining('Kafka could not be reached') });
    expect(result?.response).not.toContain('wrong-hush');
  });
});
