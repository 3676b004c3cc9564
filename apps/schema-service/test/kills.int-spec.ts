import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { type EventBatch, PARTITIONS } from '@weir/contracts';
import { connectNats, EVENTS_ACCEPTED, ensureTopology, partitionConsumer, StreamPublisher } from '@weir/messaging';
import { dataSourceFor } from '@weir/service-kit';
import { eventBatch, trackEvent, until, useStack } from '@weir/testing';
import type { DataSource } from 'typeorm';
import { migrations } from '../src/migrations/index.js';
import { expectedOf } from './naive-oracle.js';
import { accept, described } from './running-schemas.js';

const KILLS = process.env['WEIR_TEST_FULL'] ? 30 : 4;
const BATCHES_PER_KILL = 60;
/** Leases and overdue acknowledgements of whoever was killed last run out, on a busy machine. */
const SETTLE_MS = 60_000;
/** Acknowledgements are written with a delay; those before the last are. */
const PRIMED_ACKS = 3;
/** The least that the broker takes. */
const SHORT_WINDOW_MS = 100;

const stack = useStack({ processes: ['schema-service.collector'], replicas: 2 });
const victims = [
  () => ({ name: 'schema-service.collector' as const, replica: 0 }),
  () => ({ name: 'nats-server' as const, replica: 0 }),
  () => ({ name: 'schema-service.collector' as const, replica: 1 }),
  () => ({ name: 'postgres' as const, replica: 0 }),
];

let nats: NatsConnection;
let dataSource: DataSource;
beforeAll(async () => {
  nats = await connectNats(stack().address.natsUrl, 'test');
  dataSource = await connected();
});
afterAll(async () => {
  await nats.close();
  await dataSource.destroy();
});

const connected = () => dataSourceFor({ schema: 'schemas', url: stack().address.databaseUrl, migrations }).initialize();

const below = (max: number) => Math.floor(Math.random() * max);

/** As traffic is: some sources, few values, shapes that come and go. */
const batches = (count: number): EventBatch[] =>
  Array.from({ length: count }, (_, at) =>
    eventBatch({
      writeKey: `wk${at % 6}`,
      events: [
        trackEvent({ event: `Event ${at % 3}`, userId: `u${at % 9}`, messageId: `m${at % 50}` }),
        { type: 'page', name: 'Home', [`visit${at % 4}`]: at % 7 },
      ],
    }),
  );

/** Until the broker has it, as the filter does. */
async function send(batch: EventBatch): Promise<void> {
  const publisher = new StreamPublisher(nats);
  const sent = () =>
    accept(publisher, batch).then(
      () => true,
      () => false,
    );
  await until('the broker to take a batch', sent, SETTLE_MS);
}

/** Kills the program while the batches are on their way. */
async function sendAndKill(all: readonly EventBatch[], { name, replica }: ReturnType<(typeof victims)[number]>) {
  const killAt = below(all.length);
  for (const [at, batch] of all.entries()) {
    const sending = send(batch);
    if (at === killAt) stack().kill(name, replica);
    await sending;
  }
  await stack().untilReady(name, replica);
}

/** Answers what is stored, also when the database has just come back. */
const stored = async () =>
  until('the database to answer', () => described(dataSource).catch(() => undefined), SETTLE_MS);

async function expectExactly(all: readonly EventBatch[]): Promise<void> {
  const expected = expectedOf(all);
  const complete = async () => JSON.stringify(totals(await stored())) === JSON.stringify(totals(expected));
  await until('every event to be counted', complete, SETTLE_MS).catch(() => undefined);
  expect(await stored()).toEqual(expected);
}

const totals = (models: Record<string, { total: number }>) =>
  Object.entries(models)
    .map(([name, { total }]) => [name, total])
    .sort();

/**
 * A nats-server up to 2.9.15 that starts again removes what only consumers without any acknowledgement wait for, and
 * sometimes more. This is not about that server: deliverers, which do not run here, go, and every collector acknowledges something first.
 */
async function prime(): Promise<EventBatch[]> {
  const manager = await jetstreamManager(nats);
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    await manager.consumers.delete(EVENTS_ACCEPTED, partitionConsumer('deliverer', partition));
  }
  const first: EventBatch[] = [];
  const isPrimed = async () => {
    const [batch] = batches(1);
    if (batch) await send(batch).then(() => first.push(batch));
    for await (const { name, ack_floor } of manager.consumers.list(EVENTS_ACCEPTED)) {
      if (name.startsWith('collector-') && ack_floor.consumer_seq < PRIMED_ACKS) return false;
    }
    return true;
  };
  await until('every collector to acknowledge something', isPrimed, SETTLE_MS);
  return first;
}

it(
  `counts exactly through ${KILLS} kills of collectors, broker and database, a batch that the broker takes twice and a stream made anew`,
  async () => {
    const all = await prime();
    const first = below(victims.length);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const more = batches(BATCHES_PER_KILL);
      all.push(...more);
      // In turn where there are few, by chance where there are many.
      const pick = KILLS === victims.length ? first + kill : below(victims.length);
      await sendAndKill(more, (victims[pick % victims.length] as (typeof victims)[number])());
    }
    await expectExactly(all);

    const manager = await jetstreamManager(nats);
    await manager.streams.update(EVENTS_ACCEPTED, { duplicate_window: nanos(SHORT_WINDOW_MS) });
    const publisher = new StreamPublisher(nats);
    const again = all.slice(0, 20);
    for (const batch of again) {
      await until('the broker to forget a batch', async () => !(await accept(publisher, batch)).duplicate);
    }
    const late = batches(10);
    for (const batch of late) await send(batch);
    await expectExactly([...all, ...late]);

    await manager.streams.delete(EVENTS_ACCEPTED);
    await ensureTopology(nats);
    const last = batches(10);
    for (const batch of [...all, ...late, ...last]) await send(batch);
    await expectExactly([...all, ...late, ...last]);
  },
  KILLS * 60_000,
);
