import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AckPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { acceptedSubject, isBrokerAtLeast, PARTITIONS, partitionOf } from '@weir/contracts';
import { patientJetStream, patientManager, useNats } from '@weir/testing';
import {
  EVENTS_ACCEPTED,
  EVENTS_RAW,
  ensureTopology,
  partitionConsumer,
  STREAM_OF,
  type StreamRole,
  TopologyWatch,
  type TopologyWatchOptions,
} from '../src/index.js';
import { SOURCE, until } from './fixtures.js';

const nats = useNats();
const partition = partitionOf(SOURCE.workspaceId, SOURCE.sourceId);
const watches: TopologyWatch[] = [];
let manager: JetStreamManager;
let warnings: string[];

beforeEach(async () => {
  manager = await patientManager(nats.connection);
  warnings = [];
});
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
  await ensureTopology(nats.connection);
  await manager.streams.purge(EVENTS_ACCEPTED);
});

function watching(options: Partial<TopologyWatchOptions> & Pick<TopologyWatchOptions, 'roles'>): TopologyWatch {
  const log = { warn: (message: string) => void warnings.push(message) };
  const watch = new TopologyWatch({ nats: nats.connection, streams: [EVENTS_ACCEPTED], log, ...options });
  watches.push(watch);
  watch.start();
  return watch;
}

const names = async (stream: string) => {
  const found: string[] = [];
  for await (const { name } of manager.consumers.list(stream)) found.push(name);
  return found;
};
const remove = (role: StreamRole) => manager.consumers.delete(STREAM_OF[role], partitionConsumer(role, partition));
const publish = (n: number) =>
  patientJetStream(nats.connection).publish(acceptedSubject(SOURCE), JSON.stringify({ n }));

describe('the migration step', () => {
  it('makes what is missing and changes what is not as it should be, more than once', async () => {
    await remove('filter');
    await manager.streams.delete(EVENTS_ACCEPTED);
    const deliverer = partitionConsumer('deliverer', 1);
    await manager.consumers.update(EVENTS_RAW, partitionConsumer('filter', (partition + 1) % PARTITIONS), {
      max_ack_pending: 7,
    });
    await ensureTopology(nats.connection);
    await ensureTopology(nats.connection);
    expect(await names(EVENTS_RAW)).toHaveLength(PARTITIONS);
    expect(await names(EVENTS_ACCEPTED)).toHaveLength(2 * PARTITIONS);
    expect((await manager.consumers.info(EVENTS_ACCEPTED, deliverer)).config.max_ack_pending).toBe(256);
    const changed = await manager.consumers.info(EVENTS_RAW, partitionConsumer('filter', (partition + 1) % PARTITIONS));
    expect(changed.config.max_ack_pending).toBe(256);
  });

  it('never gives a sequence of an earlier stream to a message of a later one', async () => {
    const former = await publish(1);
    await manager.streams.delete(EVENTS_ACCEPTED);
    await ensureTopology(nats.connection);
    const isNew = isBrokerAtLeast([2, 10], nats.connection.info?.version ?? '');
    const { seq } = await publish(2);
    expect(Number.isSafeInteger(seq) && seq > former.seq).toBe(isNew);
    await ensureTopology(nats.connection);
    expect((await publish(3)).seq).toBe(seq + 1);
  });

  it('makes the consumers of an archive only where there is one, and removes them again', async () => {
    await ensureTopology(nats.connection, { archive: true });
    expect(await names(EVENTS_ACCEPTED)).toHaveLength(3 * PARTITIONS);
    const { config } = await manager.consumers.info(EVENTS_ACCEPTED, partitionConsumer('archiver', 1));
    expect(config).toMatchObject({ max_ack_pending: 1_024, filter_subject: 'events.accepted.1.>' });
    await ensureTopology(nats.connection);
    expect(await names(EVENTS_ACCEPTED)).toHaveLength(2 * PARTITIONS);
  });

  it('turns an archiver off that still runs, and its watch says what is missing', async () => {
    await ensureTopology(nats.connection, { archive: true });
    const watch = watching({ roles: ['archiver'], own: 'archiver' });
    await remove('archiver');
    await until(() => watch.figures.made === 1);
    await ensureTopology(nats.connection);
    await until(() => watch.figures.missing === PARTITIONS);
    expect(await names(EVENTS_ACCEPTED)).toHaveLength(2 * PARTITIONS);
    expect(watch.figures.made).toBe(1);
    await ensureTopology(nats.connection, { archive: true });
    await until(() => watch.reason === undefined);
  });

  it('fails by name when the broker keeps something else', async () => {
    await manager.streams.delete(EVENTS_RAW);
    // No broker can turn an existing stream into a queue.
    await manager.streams.add({ name: EVENTS_RAW, subjects: ['events.raw.>'] });
    await expect(ensureTopology(nats.connection)).rejects.toThrow(`stream ${EVENTS_RAW} cannot be created or updated`);
    await manager.streams.delete(EVENTS_RAW);
  });
});

describe('a consumer that is deleted by hand', () => {
  it('is made anew by its role, and begins with what the stream still holds', async () => {
    const watch = watching({ roles: ['collector'], own: 'collector' });
    await publish(1);
    await remove('collector');
    await until(() => watch.figures.made === 1);
    await publish(2);
    expect(watch.reason).toBeUndefined();
    const consumer = await patientJetStream(nats.connection).consumers.get(
      EVENTS_ACCEPTED,
      partitionConsumer('collector', partition),
    );
    const messages = await consumer.fetch({ max_messages: 2, expires: 5_000 });
    const seen: number[] = [];
    for await (const message of messages) {
      seen.push((message.json() as { n: number }).n);
      message.ack();
    }
    // The stream still holds the first one, because the other role has not read it yet.
    expect(seen).toEqual([1, 2]);
    expect((await consumer.info()).config).toMatchObject({ ack_policy: AckPolicy.Explicit, max_deliver: -1 });
    expect(warnings).toContainEqual(
      expect.stringContaining(`${partitionConsumer('collector', partition)} was missing`),
    );
  });

  it('stops those who need it, for that partition alone, until it is back', async () => {
    const watch = watching({ roles: ['collector', 'deliverer'] });
    await until(() => watch.reason === undefined);
    await remove('deliverer');
    await until(() => watch.reason !== undefined);
    const name = partitionConsumer('deliverer', partition);
    expect(watch.reason).toContain(`consumer ${name} of ${EVENTS_ACCEPTED} is missing`);
    expect(watch.figures).toEqual({ missing: 1, changed: 0, made: 0 });
    expect(() => watch.assertConsumers(partition)).toThrow(`consumer ${name} of ${EVENTS_ACCEPTED} is missing`);
    expect(() => watch.assertConsumers((partition + 1) % PARTITIONS)).not.toThrow();
    await ensureTopology(nats.connection);
    await until(() => watch.reason === undefined);
    expect(() => watch.assertConsumers(partition)).not.toThrow();
  });

  it('is noticed when it happened while nobody heard', async () => {
    await remove('deliverer');
    const watch = watching({ roles: ['deliverer'] });
    await until(() => watch.reason !== undefined);
  });
});

it('a stream that is missing is a reason not to be ready, and its consumers are no further ones', async () => {
  await manager.streams.delete(EVENTS_ACCEPTED);
  const watch = watching({ roles: ['collector'], own: 'collector' });
  await until(() => watch.reason !== undefined);
  expect(watch.reason).toBe(`stream ${EVENTS_ACCEPTED} is missing: run the migrations`);
  expect(() => watch.assertConsumers(0)).toThrow(`stream ${EVENTS_ACCEPTED} is missing`);
});

it('tells how full its streams are, and leaves out one that is missing', async () => {
  const watch = watching({ roles: ['collector'] });
  const before = await watch.fill();
  expect(before.map(({ stream }) => stream)).toContain(EVENTS_ACCEPTED);
  await publish(1);
  const bytesOf = (fill: typeof before) => fill.find(({ stream }) => stream === EVENTS_ACCEPTED)?.bytes ?? 0;
  const after = await watch.fill();
  expect(bytesOf(after)).toBeGreaterThan(bytesOf(before));
  expect(after.every(({ bytes, bytesMax }) => bytes < bytesMax)).toBe(true);
  await manager.streams.delete(EVENTS_ACCEPTED);
  expect((await watch.fill()).map(({ stream }) => stream)).not.toContain(EVENTS_ACCEPTED);
});

it('what is changed is told and holds up nothing: it may be of the release after this one', async () => {
  const name = partitionConsumer('collector', partition);
  await manager.consumers.update(EVENTS_ACCEPTED, name, { max_ack_pending: 7 });
  const watch = watching({ roles: ['collector'], own: 'collector' });
  await until(() => watch.figures.changed === 1);
  expect(watch.reason).toBeUndefined();
  // a broker that answers late is a warning of its own
  const told = warnings.filter((warning) => warning.includes('differs'));
  expect(told).toEqual([`consumer ${name} of ${EVENTS_ACCEPTED} differs from what the code needs`]);
  expect((await manager.consumers.info(EVENTS_ACCEPTED, name)).config.max_ack_pending).toBe(7);
});
