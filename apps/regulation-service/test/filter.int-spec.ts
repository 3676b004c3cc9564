import { afterEach, describe, expect, it } from '@jest/globals';
import {
  acceptedSubject,
  PARTITIONS,
  partitionOf,
  rawSubject,
  type SuppressedEvents,
  sizedSubject,
  suppressedEventsSubject,
  withoutSize,
} from '@weir/contracts';
import {
  EVENTS_ACCEPTED,
  EVENTS_RAW,
  ensureTopology,
  partitionConsumer,
  type StreamMessage,
  streamMessage,
} from '@weir/messaging';
import { newKsuid, Sealer } from '@weir/service-kit';
import {
  eventBatch,
  isTestBrokerReliable,
  patientJetStream,
  patientManager,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { LISTED_MAX } from '../src/filter/suppressed-teller.js';
import { UnreadableRepository } from '../src/filter/unreadable.repository.js';
import { SCHEMA } from '../src/schema.js';
import {
  acceptedOf,
  newFilter,
  numbersOf,
  type RunningFilter,
  type Source,
  takeIn,
  takeInBatch,
  track,
  untilFiltered,
} from './filter.fixtures.js';
import { matchKeys, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const running: RunningFilter[] = [];

const start = () => {
  const filter = newFilter(nats.connection, db.dataSource);
  filter.service.onApplicationBootstrap();
  running.push(filter.service);
  return filter;
};
const newPlace = () => {
  const workspace = workspaceOf(db.dataSource);
  return { workspace, source: { workspaceId: workspace.workspaceId, sourceId: newKsuid() } };
};
const send = (source: Source, ...events: Parameters<typeof takeIn>[2][]) => takeIn(nats.connection, source, ...events);
const passed = (source: Source) => acceptedOf(nats.connection, source);
const manager = () => patientManager(nats.connection);

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.onModuleDestroy()));
});

describe('the filter', () => {
  it('drops what is suppressed and passes the rest on, whole and in order', async () => {
    const { workspace, source } = newPlace();
    await workspace.create({ users: [{ userId: 'ada' }, { userId: '42' }] });
    const { metrics } = start();
    const mixed = await send(source, track('bob', 1), track('ada', 2), track(42, 3), track('eve', 4));
    await send(source, track(' ada', 5), { type: 'alias', userId: 'new', previousId: 'ada', n: 6 });
    await send(source, { type: 'track', anonymousId: 'ada', n: 7 });
    await untilFiltered(nats.connection);
    const batches = await passed(source);
    expect(numbersOf(batches)).toEqual([1, 4, 7]);
    expect(batches[0]).toEqual({ ...mixed, events: [track('bob', 1), track('eve', 4)] });
    const text = await metrics.text();
    expect(text).toMatch(/regulation_filter_events_total{outcome="passed",.*} 3/);
    expect(text).toMatch(/regulation_filter_events_total{outcome="suppressed",.*} 4/);
  });

  it('passes a batch on in its own partition, whole or without those whom it drops', async () => {
    const { workspace, source } = newPlace();
    await workspace.create({ users: [{ userId: 'ada' }] });
    start();
    const subjects: string[] = [];
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const events = partition % 2 ? [track('bob', partition)] : [track('ada'), track('bob', partition)];
      const batch = await takeInBatch(nats.connection, eventBatch({ ...source, partition, events }));
      subjects.push(acceptedSubject(batch));
    }
    await untilFiltered(nats.connection);
    const batches = await passed(source);
    expect(batches.map(({ partition }) => partition)).toEqual(numbersOf(batches));
    expect(batches).toHaveLength(PARTITIONS);
    const { state } = await (await manager()).streams.info(EVENTS_ACCEPTED, {
      subjects_filter: `events.accepted.*.*.${source.workspaceId}.${source.sourceId}`,
    });
    expect(
      Object.keys(state.subjects ?? {})
        .map(withoutSize)
        .sort(),
    ).toEqual(subjects.sort());
  });

  it('keeps the order of a source, whatever the sizes of its messages', async () => {
    const { source } = newPlace();
    const stream = patientJetStream(nats.connection);
    for (let n = 0; n < 24; n += 1) {
      const json = JSON.stringify(
        eventBatch({ ...source, events: [{ ...track('ada', n), text: 'x'.repeat((n % 4) * 2_000) }] }),
      );
      await stream.publish(sizedSubject(rawSubject(source), json.length), json);
    }
    start();
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual(Array.from({ length: 24 }, (_, n) => n));
  });

  it('stops what came in before a suppression was lifted, however late it is read, and nothing that came in later', async () => {
    const { workspace, source } = newPlace();
    const id = await workspace.createOne({ users: [{ userId: 'ada' }] });
    await send(source, track('ada', 1), track('bob', 2));
    await workspace.cancel(id);
    await send(source, track('ada', 3));
    start();
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([2, 3]);
  });

  it('tells which events it stopped, with their sources and never with their users', async () => {
    const { workspace, source } = newPlace();
    await workspace.create({ users: [{ userId: 'ada' }] });
    const told: SuppressedEvents[] = [];
    const subject = suppressedEventsSubject(source.workspaceId);
    const listening = nats.connection.subscribe(subject, {
      callback: (_error, message) => void told.push(message.json()),
    });
    const { teller } = start();
    teller.onApplicationBootstrap();
    const many = Array.from({ length: LISTED_MAX }, (_, n) => track('ada', n));
    const first = await send(source, { ...track('ada'), messageId: 'm1' }, track('bob', 1), ...many);
    const counted = () => told.flatMap(({ counts }) => counts).reduce((sum, { events }) => sum + events, 0);
    await until('the message', () => counted() > LISTED_MAX);
    listening.unsubscribe();
    await teller.onModuleDestroy();
    expect(told[0]).toMatchObject({ workspaceId: source.workspaceId });
    expect(told[0]?.events[0]).toEqual({
      ...{ sourceId: source.sourceId, receivedAt: first.receivedAt, messageId: 'm1', type: 'track' },
    });
    expect(told[0]?.events).toHaveLength(LISTED_MAX);
    expect(JSON.stringify(told)).not.toMatch(/ada|bob/);
  });

  it('keeps to the sources of a regulation and to its workspace', async () => {
    const { workspace, source } = newPlace();
    const { source: foreign } = newPlace();
    const other = { ...source, sourceId: newKsuid() };
    await workspace.create({ sourceIds: [source.sourceId] });
    start();
    for (const place of [source, other, foreign]) await send(place, track('ada', 1));
    await untilFiltered(nats.connection);
    expect(await Promise.all([source, other, foreign].map(async (place) => (await passed(place)).length))).toEqual([
      0, 1, 1,
    ]);
  });

  it('lets events pass again after the cancel was answered; what was dropped stays lost', async () => {
    const { workspace, source } = newPlace();
    const id = await workspace.createOne({});
    start();
    await send(source, track('ada', 1));
    await untilFiltered(nats.connection);
    await workspace.cancel(id);
    await send(source, track('ada', 2));
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([2]);
  });

  it('passes a batch once, although it is handed out again after its publish', async () => {
    const { source } = newPlace();
    await send(source, track('bob', 1));
    const message = await pull(source);
    const deaf: StreamMessage = { ...message, ack: () => undefined };
    await newFilter(nats.connection, db.dataSource).batches.filter([deaf]);
    message.nak();
    start();
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([1]);
  });

  it('obeys a regulation that came between two attempts at a batch', async () => {
    const { workspace, source } = newPlace();
    await send(source, track('ada', 1), track('bob', 2));
    const message = await pull(source);
    message.nak();
    await workspace.create({});
    start();
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([2]);
  });

  it('lets nothing pass while the regulations cannot be read', async () => {
    const { workspace, source } = newPlace();
    await workspace.create({});
    await db.dataSource.query('ALTER TABLE suppressions RENAME TO hidden');
    const { tries } = start();
    for (let n = 0; n < 5; n += 1) await send(source, track('ada', n), track('bob', n));
    await until('some tries that failed', () => tries.failed >= 3);
    expect(await passed(source)).toEqual([]);
    await db.dataSource.query('ALTER TABLE hidden RENAME TO suppressions');
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([0, 1, 2, 3, 4]);
  });

  it('waits while the accepted stream is full, loses nothing and keeps the order', async () => {
    const { source } = newPlace();
    const { config } = await (await manager()).streams.info(EVENTS_ACCEPTED);
    const { state } = await (await manager()).streams.info(EVENTS_ACCEPTED);
    await (await manager()).streams.update(EVENTS_ACCEPTED, { ...config, max_bytes: state.bytes + 2_000 });
    const { tries } = start();
    // Alternates large and small events. A small one that still fits must not overtake a large one that does not.
    for (let n = 0; n < 12; n += 1) await send(source, { ...track('bob', n), text: 'x'.repeat(n % 2 ? 10 : 900) });
    await until('some tries that failed', () => tries.failed >= 3);
    expect((await passed(source)).length).toBeLessThan(12);
    await (await manager()).streams.update(EVENTS_ACCEPTED, config);
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual(Array.from({ length: 12 }, (_, n) => n));
  });

  it('lays aside what is no batch, sealed, and goes on', async () => {
    const { source } = newPlace();
    const unreadable = ['{"userId": "needle', '{"events": "needle"}', '[1]'];
    for (const body of unreadable) await patientJetStream(nats.connection).publish(rawSubject(source), body);
    await send(source, track('bob', 1));
    start();
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([1]);
    const letters = await db.dataSource.query<{ reason: string; payload: string }[]>(
      'SELECT reason, payload FROM dead_letters ORDER BY id',
    );
    expect(letters.map(({ reason }) => reason)).toEqual(['not JSON', 'not a batch of events', 'not a batch of events']);
    expect(JSON.stringify(letters)).not.toContain('needle');
    const sealer = new Sealer(matchKeys.derivedKey('dead-letters'));
    const opened = letters.map(({ payload }) => String(sealer.open(payload, 'regulation/dead-letter')['base64']));
    expect(opened.map((base64) => Buffer.from(base64, 'base64').toString())).toEqual(unreadable);

    // Dead letters may hold any user's data, so they do not stay.
    const [old, young] = [31, 29];
    const age = (days: number, reason: string) =>
      db.dataSource.query(`UPDATE dead_letters SET created_at = now() - $1 * interval '1 day' WHERE reason = $2`, [
        days,
        reason,
      ]);
    await Promise.all([age(old, 'not JSON'), age(young, 'not a batch of events')]);
    await new UnreadableRepository(db.dataSource, matchKeys).removeOld();
    const left = await db.dataSource.query('SELECT reason FROM dead_letters');
    expect(left).toEqual(Array(2).fill({ reason: 'not a batch of events' }));
  });

  it('survives a restart of the broker', async () => {
    const { workspace, source } = newPlace();
    await workspace.create({});
    start();
    await send(source, track('bob', 1));
    if (!(await isTestBrokerReliable())) await untilFiltered(nats.connection);
    await nats.restart();
    const batch = eventBatch({ ...source, events: [track('ada', 2), track('bob', 3)] });
    await until('an answering broker', () => takeInBatch(nats.connection, batch).catch(() => undefined));
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([1, 3]);
  });
});

async function pull({ workspaceId, sourceId }: Source): Promise<StreamMessage> {
  const consumer = await patientJetStream(nats.connection).consumers.get(
    EVENTS_RAW,
    partitionConsumer('filter', partitionOf(workspaceId, sourceId)),
  );
  const message = await consumer.next();
  if (!message) throw new Error('there is no message');
  return streamMessage(message);
}

describe('a consumer that was deleted by hand', () => {
  it('of those behind the filter keeps their events in the stream before it', async () => {
    const { source } = newPlace();
    const partition = partitionOf(source.workspaceId, source.sourceId);
    const deliverer = partitionConsumer('deliverer', partition);
    const { consumers, streams } = await manager();
    await streams.purge(EVENTS_ACCEPTED); // remove batches of other tests
    const { health } = start();
    await until('readiness', async () => (await health.report()).ready);
    await consumers.delete(EVENTS_ACCEPTED, deliverer);
    const reason = `topology: consumer ${deliverer} of ${EVENTS_ACCEPTED} is missing: run the migrations`;
    await until('the filter to know', async () => (await health.report()).reasons.join() === reason);
    await send(source, track('ada', 1));
    await until('a hand-out', async () => {
      const { delivered } = await consumers.info(EVENTS_RAW, partitionConsumer('filter', partition));
      return delivered.stream_seq === (await streams.info(EVENTS_RAW)).state.last_seq;
    });
    expect(await passed(source)).toEqual([]);
    await ensureTopology(nats.connection);
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual([1]);
    expect(await consumers.info(EVENTS_ACCEPTED, deliverer)).toMatchObject({ num_pending: 1 });
  });

  it("of the filter's own is made anew, and nothing is lost", async () => {
    const { source } = newPlace();
    const partition = partitionOf(source.workspaceId, source.sourceId);
    const { metrics } = start();
    // Already missing if a busy machine has not made it anew since the last time.
    const remove = async (n: number) =>
      (await manager()).consumers.delete(EVENTS_RAW, partitionConsumer('filter', n)).catch(() => undefined);
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    for (const n of numbers) {
      if (n % 10 === 5) await remove(partition);
      await send(source, track('ada', n));
    }
    await untilFiltered(nats.connection);
    expect(numbersOf(await passed(source))).toEqual(numbers);
    expect(await metrics.text()).toMatch(/weir_topology_consumers_made_total{.*} [1-4]\n/);
  });
});
