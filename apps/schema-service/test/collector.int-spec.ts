import { afterEach, expect, it } from '@jest/globals';
import { type EventBatch, PARTITIONS, partitionOf } from '@weir/contracts';
import { EVENTS_ACCEPTED, partitionConsumer, StreamPublisher } from '@weir/messaging';
import {
  eventBatch,
  PATIENCE_MS,
  patientManager,
  type ServiceProcess,
  sourceRecord,
  spreadBatches,
  trackEvent,
  until,
  useDatabase,
  useNats,
  within,
} from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { expectedOf } from './naive-oracle.js';
import { accept, described, startCollector } from './running-schemas.js';

/** Five times the promise of architecture section 7 for area D after an intake. The publish of the try is part of it. */
const FRESH_MS = 25_000;
/** The client's own patience is a second, which a busy machine exceeds. */
const PATIENT = { timeout: PATIENCE_MS };

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const running: ServiceProcess[] = [];

const collector = async () => {
  const process = await startCollector({ databaseUrl: database.url, natsUrl: nats.url });
  running.push(process);
  return process;
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.stop()));
  // Counted messages that were not acknowledged would be redelivered, and the next test has forgotten that they were counted.
  await (await patientManager(nats.connection)).streams.purge(EVENTS_ACCEPTED);
  await database.dataSource.run(
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, dead_letters, leases, lease_members`,
  );
});

const batches = (count: number): EventBatch[] =>
  Array.from({ length: count }, (_, at) =>
    eventBatch({
      writeKey: `wk${at % 5}`,
      events: [trackEvent({ userId: `u${at % 9}`, messageId: `m${at % 50}` }), { type: 'page', name: `p${at % 3}` }],
    }),
  );

const textOf = (value: object) => JSON.stringify(value);

const totalOf = async () => {
  const [{ total }] = await database.dataSource.query(`SELECT coalesce(sum(total_count), 0)::int AS total FROM models`);
  return total;
};

const publish = async (all: readonly EventBatch[]) => {
  const publisher = new StreamPublisher(nats.connection);
  await Promise.all(all.map((batch) => accept(publisher, batch)));
};

const untilCounted = (all: readonly EventBatch[]) => {
  const events = all.reduce((sum, batch) => sum + batch.events.length, 0);
  return until(`${events} events to be counted`, async () => (await totalOf()) >= events);
};

/** Number of messages that the collectors have not acknowledged. */
const pending = async () => {
  const manager = await patientManager(nats.connection);
  let count = 0;
  for await (const { name, num_pending, num_ack_pending } of manager.consumers.list(EVENTS_ACCEPTED)) {
    if (name.startsWith('collector-')) count += num_pending + num_ack_pending;
  }
  return count;
};

const untilDrained = () => until('every message to be acknowledged', async () => (await pending()) === 0);

it('shows an event in the promised time after its acceptance', async () => {
  await collector();
  await publish(batches(5));
  await untilCounted(batches(5));

  await within(FRESH_MS, async () => {
    const before = await totalOf();
    await publish(batches(1));
    await until('the event', async () => (await totalOf()) === before + 2);
  });
});

it('keeps what can never be counted as a dead letter and goes on', async () => {
  await collector();
  const good = batches(2);
  const unreadable = [
    'not json',
    ...[{ batchId: 'b', events: [] }, eventBatch({ receivedAt: 'yesterday' })].map(textOf),
  ];
  for (const text of unreadable) await nats.connection.request('events.accepted.3.workspace.source', text, PATIENT);
  await publish(good);
  await untilCounted(good);
  await untilDrained();

  const letters = await database.dataSource.query(`SELECT reason, body FROM dead_letters ORDER BY sequence`);
  expect(letters.map(({ reason }: { reason: string }) => reason)).toEqual([
    'not JSON',
    expect.stringContaining('workspaceId'),
    'receivedAt: is not a time',
  ]);
  expect(letters[0].body).toBeNull();
  expect(JSON.parse(letters[1].body)).toEqual({ batchId: 'b', events: [] });
  expect(await described(database.dataSource)).toEqual(expectedOf(good));
});

it('goes on after the broker was away', async () => {
  await collector();
  const before = batches(10);
  await publish(before);
  await untilCounted(before);
  await nats.restart();
  const after = batches(10);
  await publish(after);
  await untilCounted([...before, ...after]);

  expect(await described(database.dataSource)).toEqual(expectedOf([...before, ...after]));
});

it('makes a consumer anew that was deleted by hand under traffic, and counts what the stream still had once', async () => {
  await collector();
  const { consumers } = await patientManager(nats.connection);
  const all = batches(120);
  for (const [n, batch] of all.entries()) {
    const { workspaceId, sourceId } = batch;
    const consumer = partitionConsumer('collector', partitionOf(workspaceId, sourceId));
    if (n % 10 === 5) await consumers.delete(EVENTS_ACCEPTED, consumer).catch(() => undefined); // it may not exist any more
    await publish([batch]);
  }
  await untilCounted(all);
  await untilDrained();
  expect(await described(database.dataSource)).toEqual(expectedOf(all));
});

it('counts a source that is spread once, with two collectors of which one is killed, and repeated messages', async () => {
  const source = sourceRecord({ partitions: PARTITIONS });
  const requests = Array.from({ length: 30 }, (_, n) =>
    Array.from({ length: 20 }, (_, at) => trackEvent({ userId: `u${(n * 7 + at) % 60}`, messageId: `m${at}` })),
  );
  const all = requests.flatMap((events) => spreadBatches(source, events, { writeKey: source.writeKey }));
  expect(new Set(all.map(({ partition }) => partition)).size).toBe(PARTITIONS);
  const [victim] = await Promise.all([collector(), collector()]);
  await publish(all.slice(0, all.length / 2));
  victim.kill('SIGKILL');
  await publish(all.slice(all.length / 2));
  const publisher = new StreamPublisher(nats.connection);
  for (const batch of all) await accept(publisher, batch, `again ${batch.batchId}`);
  await untilCounted(all);
  await untilDrained();
  expect(await described(database.dataSource)).toEqual(expectedOf(all));
});

it('stops cleanly', async () => {
  const process = await collector();
  const all = batches(50);
  await publish(all);
  process.kill('SIGTERM');

  expect(await process.exited).toEqual({ code: 0, signal: null });
  await collector();
  await untilCounted(all);
  expect(await described(database.dataSource)).toEqual(expectedOf(all));
});
