import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import type { EventBatch } from '@weir/contracts';
import { useStack } from '@weir/local';
import { connectNats, EVENTS_ACCEPTED, ensureTopology, StreamPublisher } from '@weir/messaging';
import { type Database, dataSourceFor } from '@weir/service-kit';
import { eventBatch, isTestBrokerReliable, patientManager, trackEvent, until } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { expectedOf } from './naive-oracle.js';
import { accept, described } from './running-schemas.js';

const KILLS_BY_CHANCE = process.env['WEIR_TEST_FULL'] !== undefined;
const KILLS = KILLS_BY_CHANCE ? 30 : 4;
const BATCHES_PER_KILL = 60;
/** The shortest window that the broker accepts. */
const SHORT_WINDOW_MS = 100;

const stack = useStack({ processes: ['schema-service.collector'], replicas: 2 });

type Victim = { name: 'schema-service.collector' | 'postgres' | 'nats-server'; replica: number };
const victims: Victim[] = [
  { name: 'schema-service.collector', replica: 0 },
  { name: 'postgres', replica: 0 },
  { name: 'schema-service.collector', replica: 1 },
  ...((await isTestBrokerReliable()) ? [{ name: 'nats-server' as const, replica: 0 }] : []),
];

let nats: NatsConnection;
let dataSource: Database;
beforeAll(async () => {
  nats = await connectNats(stack().address.natsUrl, 'test');
  dataSource = await connected();
});
afterAll(async () => {
  await nats.close();
  await dataSource.destroy();
});

const connected = () =>
  dataSourceFor({ ...SCHEMA, schema: SCHEMA.name, url: stack().address.databaseUrl }).initialize();

const below = (max: number) => Math.floor(Math.random() * max);

/** Realistic traffic: some sources, few values, shapes that come and go. */
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

/** Repeats until the broker has the batch, as the filter does. */
async function send(batch: EventBatch): Promise<void> {
  const publisher = new StreamPublisher(nats);
  const sent = () =>
    accept(publisher, batch).then(
      () => true,
      () => false,
    );
  await until('the broker to take a batch', sent);
}

/** Kills the program while the batches are on their way. */
async function sendAndKill(all: readonly EventBatch[], { name, replica }: Victim) {
  const killAt = below(all.length);
  for (const [at, batch] of all.entries()) {
    const sending = send(batch);
    if (at === killAt) stack().kill(name, replica);
    await sending;
  }
  await stack().untilReady(name, replica);
}

/** Reads what is stored, even if the database has only just come back. */
const stored = async () => until('the database to answer', () => described(dataSource).catch(() => undefined));

async function expectExactly(all: readonly EventBatch[]): Promise<void> {
  const expected = expectedOf(all);
  const complete = async () => JSON.stringify(totals(await stored())) === JSON.stringify(totals(expected));
  await until('every event to be counted', complete).catch(() => undefined);
  expect(await stored()).toEqual(expected);
}

const totals = (models: Record<string, { total: number }>) =>
  Object.entries(models)
    .map(([name, { total }]) => [name, total])
    .sort();

it(
  `counts exactly through ${KILLS} kills of collectors, database and broker, a batch that the broker takes twice and a stream made anew`,
  async () => {
    const all: EventBatch[] = [];
    const first = below(KILLS);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const more = batches(BATCHES_PER_KILL);
      all.push(...more);
      // Each victim in turn for a few kills, by chance for many.
      const pick = KILLS_BY_CHANCE ? below(victims.length) : (first + kill) % victims.length;
      await sendAndKill(more, victims[pick] as Victim);
    }
    await expectExactly(all);

    const manager = await patientManager(nats);
    await manager.streams.update(EVENTS_ACCEPTED, { duplicate_window: nanos(SHORT_WINDOW_MS) });
    const publisher = new StreamPublisher(nats);
    const again = all.slice(0, 20);
    // a busy broker may not answer in time, and may have taken the batch all the same
    const taken = (batch: EventBatch) => accept(publisher, batch).catch(() => undefined);
    for (const batch of again) {
      await until('the broker to forget a batch', async () => (await taken(batch))?.duplicate === false);
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
  KILLS * 180_000,
);
