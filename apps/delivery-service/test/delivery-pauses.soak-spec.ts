import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createInbox } from '@nats-io/transport-node';
import { PARTITIONS, partitionOf } from '@weir/contracts';
import { ACK_WAIT_MS, EVENTS_ACCEPTED, LEASE_TTL_MS, partitionConsumer } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  type RecordingServer,
  recordingServer,
  type ServiceProcess,
  startProcess,
  trackEvent,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DeliveryScene } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();

const ROUNDS = process.env['WEIR_TEST_FULL'] ? 12 : 1;
const USERS = ['ada', 'bob', 'eve'];
/** Pause between two batches of a source. Without it, few messages would carry all events. */
const PACE_MS = 20;
/** Brief wake-ups of a process short of CPU: long enough to pull, too short to notice that it is late. */
const PULSES = 5;
const PULSE_MS = 100;
/** Messages of each partition that go to a process without a lease. */
const STOLEN = 2;
/** Longer than leases and acknowledgement deadlines, so that others take over. */
const PAUSE_MS = LEASE_TTL_MS + ACK_WAIT_MS + 2_000;
/** Longer than any delay that a pause causes: leases, overdue acknowledgements, backoff. */
const STILL_MS = 30_000;
const ROUND_MS = PAUSE_MS + 30_000;

let scene: DeliveryScene;
let server: RecordingServer;
let deliverers: ServiceProcess[] = [];
/** Event numbers of a source and user, in the order of their first arrival. */
const arrived = new Map<string, number[]>();

beforeEach(async () => {
  scene = new DeliveryScene(database, nats);
  server = await recordingServer();
  server.answer(({ json }) => {
    const { userId, properties } = json as { userId: string; properties: { n: number; source: string } };
    const lane = `${properties.source}/${userId}`;
    const numbers = arrived.get(lane) ?? [];
    arrived.set(lane, numbers);
    if (!numbers.includes(properties.n)) numbers.push(properties.n);
    return {};
  });
  const start = () => startProcess('delivery-service.deliverer', scene.environment());
  deliverers = await Promise.all([start(), start()]);
  await scene.shared();
});

afterEach(async () => {
  for (const one of deliverers) one.kill('SIGCONT');
  await Promise.all(deliverers.map((one) => one.stop()));
  await scene.close();
  await server.close();
});

/** Creates one source for each partition, connected to a destination. */
async function sources(): Promise<string[]> {
  const { id } = await scene.webhook(`${server.url}/hook`);
  const found = new Map<number, string>();
  while (found.size < PARTITIONS) {
    const sourceId = newKsuid();
    found.set(partitionOf(scene.workspaceId, sourceId), sourceId);
  }
  for (const sourceId of found.values()) await scene.connectSource(sourceId, id);
  return [...found.values()];
}

/** Resolves when all have arrived, or when none did for the longest explainable delay. A slow machine is not a failure. */
async function untilNothingComes(count: () => number, all: number): Promise<void> {
  for (let before = -1; count() < all && count() !== before; ) {
    before = count();
    await until('more events', () => count() > before, STILL_MS).catch(() => undefined);
  }
}

/**
 * Acts like an owner that wakes up for a moment after a pause. It pulls from every partition, and pauses again before it learns
 * that others have its leases. Nobody handles those messages until their acknowledgement is overdue.
 */
async function pullAsIfPaused(): Promise<void> {
  const { connection } = nats;
  const inbox = connection.subscribe(createInbox(), { callback: () => undefined });
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${EVENTS_ACCEPTED}.${partitionConsumer('deliverer', partition)}`;
    connection.publish(subject, JSON.stringify({ batch: STOLEN }), { reply: inbox.getSubject() });
  }
  await until('messages to go astray', () => inbox.getReceived() >= STOLEN * PARTITIONS, 30_000);
  inbox.unsubscribe();
}

/** Describes where the numbers leave the order in which they were sent, or end too early. */
function firstOutOfOrder(numbers: number[], sent: number[]): string | undefined {
  const at = sent.findIndex((number, index) => numbers[index] !== number);
  return at === -1
    ? undefined
    : `${numbers.slice(Math.max(0, at - 2), at + 3).join()} at ${at} of ${sent.length}, ${numbers.length} came`;
}

it(
  'keeps the order in which the events of a user arrive first, however long a deliverer is paused',
  async () => {
    const all = await sources();
    let n = 0;
    let isOver = false;
    const traffic = async () => {
      for (; !isOver; n += 1) {
        const batchOf = (source: string) => USERS.map((userId) => trackEvent({ userId, properties: { n, source } }));
        await Promise.all(all.map((sourceId) => scene.accept(batchOf(sourceId), { sourceId })));
        await delay(PACE_MS);
      }
    };
    const running = traffic();
    for (let round = 0; round < ROUNDS; round += 1) {
      const paused = deliverers[round % 2];
      await delay(1_000 + 200 * (round % 5));
      paused?.kill('SIGSTOP');
      await delay(PAUSE_MS);
      await pullAsIfPaused();
      for (let pulse = 0; pulse < PULSES; pulse += 1) {
        paused?.kill('SIGCONT');
        await delay(1 + pulse);
        paused?.kill('SIGSTOP');
        await delay(PULSE_MS);
      }
      paused?.kill('SIGCONT');
      await delay(2_000);
      await scene.shared();
    }
    isOver = true;
    await running;
    const sent = Array.from({ length: n }, (_, at) => at);
    const lanes = () => all.flatMap((source) => USERS.map((user) => arrived.get(`${source}/${user}`) ?? []));
    await untilNothingComes(() => lanes().reduce((sum, { length }) => sum + length, 0), n * lanes().length);
    expect(lanes().map((numbers) => firstOutOfOrder(numbers, sent))).toEqual(lanes().map(() => undefined));
  },
  ROUNDS * ROUND_MS + ROUND_MS,
);
