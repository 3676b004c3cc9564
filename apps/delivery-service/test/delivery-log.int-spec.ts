import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AckPolicy } from '@nats-io/jetstream';
import { PARTITIONS, partitionOf } from '@weir/contracts';
import { DELIVERIES, partitionConsumer, STREAM_OF } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  eventBatch,
  patientJetStream,
  patientManager,
  type RecordingServer,
  trackEvent,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DestinationWorkers } from '../src/sending/destination-workers.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => ({ scene, server } = stage));
afterEach(async () => void (await (await patientManager(nats.connection)).streams.purge(DELIVERIES)));

const event = (n: number, userId = 'ada') => trackEvent({ userId, properties: { n } });
const numbersAt = (path: string) =>
  server.requests
    .filter((request) => request.path === path)
    .map(({ json }) => (json as { properties: { n: number } }).properties.n);
const range = (to: number) => Array.from({ length: to }, (_, n) => n);
/** Messages that were ever written to the queues. */
const written = async () => (await (await patientManager(nats.connection)).streams.info(DELIVERIES)).state.last_seq;
/** Accepted messages that some destination still needs from the log. */
async function needed(): Promise<number> {
  const { consumers } = await patientManager(nats.connection);
  const consumer = partitionConsumer('deliverer', partitionOf(scene.workspaceId, scene.sourceId));
  const { num_pending, num_ack_pending } = await consumers.info(STREAM_OF.deliverer, consumer);
  return num_pending + num_ack_pending;
}

describe('destinations that keep up', () => {
  it('get their events from the log: nothing is copied, and no destination needs a consumer', async () => {
    const paths = range(10).map((n) => `/hook-${n}`);
    for (const path of paths) await scene.webhook(`${server.url}${path}`);
    const before = await written();
    const deliverer = await scene.startDeliverer();
    deliverer.get(DestinationWorkers, { strict: false }).parkAfterMs = 600_000;
    for (const n of range(20)) await scene.accept([event(n)]);
    for (const path of paths) await until(`all at ${path}`, () => numbersAt(path).length === 20);
    for (const path of paths) expect(numbersAt(path)).toEqual(range(20));
    await scene.drained();
    expect(await written()).toBe(before);
    const { consumers } = await patientManager(nats.connection);
    expect(await consumers.list(DELIVERIES).next()).toEqual([]);
  });
});

describe('a destination that does not answer', () => {
  it('keeps nothing in the log for long, and its events are delivered from its queue, in order', async () => {
    await scene.webhook(`${server.url}/slow`);
    await scene.webhook(`${server.url}/fine`);
    let isDown = true;
    server.answer(({ path }) => (path === '/slow' && isDown ? { status: 503 } : {}));
    await scene.startDeliverer();
    for (const n of range(30)) await scene.accept([event(n)]);
    await until('the healthy one', () => numbersAt('/fine').length === 30);
    await until('the log to be free', async () => (await needed()) === 0);
    expect(await written()).toBeGreaterThan(0);
    [isDown] = [false];
    await until('the slow one', () => new Set(numbersAt('/slow')).size === 30);
    const first = [...new Set(numbersAt('/slow'))];
    expect(first).toEqual(range(30));
    await scene.drained();
  });

  it('gets nothing twice that is done, while others of the same message of its queue are not', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer(({ json }) =>
      (json as { userId: string }).userId === 'user 0' ? { status: 503 } : { delayMs: 1_500 },
    );
    await scene.startDeliverer();
    for (const n of range(5)) await scene.accept([event(n, `user ${n}`)]);
    await until('the queue to have them', async () => (await scene.queued(id)) > 0);
    const served = () => numbersAt('/hook').filter((n) => n > 0);
    await until('all others', () => served().length === 4);
    await delay(2_000); // their answers have come
    await scene.stopDeliverers();
    server.answer({});
    await scene.startDeliverer();
    await scene.drained();
    expect(served().sort()).toEqual([1, 2, 3, 4]);
    expect(numbersAt('/hook').at(-1)).toBe(0);
  });

  it('loses nothing and no order when its owner ends and another goes on', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    for (const n of range(10)) await scene.accept([event(n)]);
    await until('the log to be free', async () => (await needed()) === 0);
    for (let n = 10; n < 20; n += 1) await scene.accept([event(n)]); // these may be in the log alone
    await scene.stopDeliverers();
    server.clear();
    server.answer({});
    await scene.startDeliverer();
    for (let n = 20; n < 30; n += 1) await scene.accept([event(n)]);
    await until('everything', () => new Set(numbersAt('/hook')).size === 30);
    expect([...new Set(numbersAt('/hook'))]).toEqual(range(30));
    await scene.drained();
  });
});

describe('several deliverers', () => {
  it('share the events of one destination by their partitions', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const found = new Map<number, string>();
    while (found.size < PARTITIONS) {
      const sourceId = newKsuid();
      found.set(partitionOf(scene.workspaceId, sourceId), sourceId);
    }
    for (const sourceId of found.values()) await scene.connectSource(sourceId, id);
    let open = 0;
    let most = 0;
    server.answer(() => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
      }, 200);
      return { delayMs: 200 };
    });
    const limit = { DELIVERY_CONCURRENCY_MAX: '3' };
    await Promise.all([scene.startDeliverer(limit), scene.startDeliverer(limit)]);
    await scene.shared();
    for (const sourceId of found.values())
      await scene.accept(
        range(4).map((n) => event(n, `user ${n}`)),
        { sourceId },
      );
    await until('everything', () => server.requests.length >= 4 * PARTITIONS);
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThanOrEqual(6);
  });
});

describe('events in a queue of the release before', () => {
  /** Writes as that release did, into one queue for the destination. */
  async function enqueue(destinationId: string, n: number): Promise<void> {
    const { batchId, sourceId, receivedAt, events } = eventBatch({ sourceId: scene.sourceId, events: [event(n)] });
    const text = { workspaceId: scene.workspaceId, destinationId, parts: [{ batchId, sourceId, receivedAt, events }] };
    const options = { msgID: `${batchId}.1.${batchId}.${destinationId}` };
    await patientJetStream(nats.connection).publish(`deliveries.${destinationId}`, JSON.stringify(text), options);
  }

  it('are delivered, once no process of it runs', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const former = { role: 'delivery', member: 'a process of the release before' };
    await database.dataSource.query(
      `INSERT INTO lease_members (role, member, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
      [former.role, former.member],
    );
    for (const n of range(3)) await enqueue(id, n);
    const { consumers, streams } = await patientManager(nats.connection);
    await consumers.add(DELIVERIES, {
      ...{ durable_name: `delivery-${id}`, filter_subject: `deliveries.${id}`, ack_policy: AckPolicy.Explicit },
    });
    await scene.startDeliverer();
    await scene.accept([event(3)]);
    await until('the one of today', () => numbersAt('/hook').includes(3));
    await delay(100);
    expect(numbersAt('/hook')).toEqual([3]);
    await database.dataSource.query('DELETE FROM lease_members WHERE member = $1', [former.member]);
    await until('the others', () => numbersAt('/hook').length === 4);
    expect(numbersAt('/hook')).toEqual([3, 0, 1, 2]);
    await until('its consumer to go', async () => (await consumers.list(DELIVERIES).next()).length === 0);
    await until('their queue to be empty', async () => {
      const { state } = await streams.info(DELIVERIES, { subjects_filter: '>' });
      return Object.keys(state.subjects ?? {}).length === 0;
    });
  });
});
