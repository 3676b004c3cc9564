import { beforeEach, describe, expect, it } from '@jest/globals';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { acceptedSubject, CheckSuppression, identifiersOfUsers, partitionOf } from '@weir/contracts';
import { EVENTS_ACCEPTED, ensureTopology, partitionConsumer } from '@weir/messaging';
import { Metrics, newKsuid } from '@weir/service-kit';
import { eventBatch, patientJetStream, patientManager, until, useDatabase, useNats } from '@weir/testing';
import { ArchiveExpiry } from '../src/archive/archive-expiry.js';
import { ArchivePurgeRepository } from '../src/archive/archive-purge.repository.js';
import { ArchiveRelief } from '../src/archive/archive-relief.js';
import { type ArchiveRange, SegmentReader } from '../src/archive/segment-reader.js';
import { migrations } from '../src/migrations/index.js';
import { type ArchiveScene, eachTestArchives, numbersIn } from './archive-scene.js';
import { type DeliveryScene, numbered } from './delivery-scene.js';

const nats = useNats();
const database = useDatabase('delivery', migrations);
let scene: ArchiveScene;
let deliveries: DeliveryScene;
eachTestArchives(database, nats, (begun) => {
  scene = begun;
  ({ deliveries } = begun);
});

const consumerOf = async () => {
  const { consumers } = await patientManager(nats.connection);
  return consumers.info(
    EVENTS_ACCEPTED,
    partitionConsumer('archiver', partitionOf(deliveries.workspaceId, deliveries.sourceId)),
  );
};
const isRead = async () => {
  const { num_pending, num_ack_pending } = await consumerOf();
  return num_pending + num_ack_pending === 0;
};
const archived = () => scene.stored();
const all = (): ArchiveRange => ({
  ...{ workspaceId: deliveries.workspaceId, sourceId: deliveries.sourceId },
  ...{ from: new Date(0), to: new Date() },
});

/** An hour of the past, and times within it. */
const HOUR = '2026-03-01T10';
const at = (minutes: string) => ({ receivedAt: `${HOUR}:${minutes}:00.000Z` });
const OF_THE_DAY = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') };

async function read(app: Awaited<ReturnType<ArchiveScene['startArchiver']>>, range: Partial<ArchiveRange> = {}) {
  const numbers: unknown[] = [];
  for await (const { archived: one } of app
    .get(SegmentReader, { strict: false })
    .events({ ...all(), ...OF_THE_DAY, ...range }))
    if (one) numbers.push(...numbersIn([one]));
  return numbers;
}

describe('the archive', () => {
  it('holds each accepted event as gzipped JSON Lines, by workspace, source and hour', async () => {
    const batch = await deliveries.accept([numbered(1), numbered(2)], at('05'));
    await deliveries.accept([numbered(3)], { receivedAt: '2026-03-01T11:00:00.000Z' });
    await scene.startArchiver();
    await archived();
    const folder = `weir/${deliveries.workspaceId}/${deliveries.sourceId}/2026-03-01`;
    const partition = String(partitionOf(deliveries.workspaceId, deliveries.sourceId)).padStart(2, '0');
    expect([...scene.store.objects.keys()].toSorted()).toEqual([
      expect.stringMatching(`^${folder}/10/${partition}-\\d{13}-\\d{16}-\\d{16}-[0-9a-f]{16}\\.jsonl\\.gz$`),
      expect.stringMatching(`^${folder}/11/`),
    ]);
    const { sourceId, batchId, receivedAt, events } = batch;
    expect(scene.archived().slice(0, 2)).toEqual([
      { sequence: expect.any(Number), position: 0, index: 0, sourceId, batchId, receivedAt, event: events[0] },
      { sequence: expect.any(Number), position: 0, index: 1, sourceId, batchId, receivedAt, event: events[1] },
    ]);
  });

  it('is read by the time of intake, cut at both ends', async () => {
    await deliveries.accept([numbered(1)], at('05'));
    await deliveries.accept([numbered(2)], at('10'));
    await deliveries.accept([numbered(3)], at('20'));
    await deliveries.accept([numbered(4)], { receivedAt: '2026-03-01T11:00:00.000Z' });
    const app = await scene.startArchiver();
    await archived();
    expect(await read(app)).toEqual([1, 2, 3, 4]);
    const [from, to] = [new Date(at('10').receivedAt), new Date(at('20').receivedAt)];
    expect(await read(app, { from, to })).toEqual([2]);
    expect(await read(app, { from, to: new Date('2026-03-01T11:00:00.001Z') })).toEqual([2, 3, 4]);
    expect(await read(app, { sourceId: 'another' })).toEqual([]);
  });

  it('gives each event once, although it was stored again after a kill', async () => {
    const first = await scene.startArchiver();
    scene.store.onStored = () => new Promise(() => undefined); // stored, but the answer never comes
    await deliveries.accept([numbered(1)], at('05'));
    await deliveries.accept([numbered(2)], at('06'));
    await until('the segment to be stored', () => scene.store.objects.size > 0);
    await deliveries.accept([numbered(3)], at('07'));
    await database.dataSource.query(`UPDATE leases SET owner = 'another', expires_at = now() WHERE role = 'archiver'`);
    scene.store.onStored = () => undefined;
    const next = await scene.startArchiver();
    await archived();
    expect(await read(next)).toEqual([1, 2, 3]);
    await first.close().catch(() => undefined);
  });

  it('leaves out users who were suppressed, or deleted after the intake', async () => {
    deliveries.standIns.suppressed.add('u2');
    deliveries.standIns.deletedUntil.set('u3', at('10').receivedAt);
    await deliveries.accept([numbered(1), numbered(2, 'u2'), numbered(3, 'u3')], at('05'));
    await deliveries.accept([numbered(4, 'u3')], at('11'));
    await scene.startArchiver();
    await archived();
    expect(numbersIn(scene.archived())).toEqual([1, 4]);
  });

  it('holds events of users with very long ids, and leaves out those who are suppressed', async () => {
    const ids = [...'abcde'].map((letter) => letter.repeat(400_000));
    deliveries.standIns.suppressed.add('u2');
    for (const [n, id] of ids.entries()) await deliveries.accept([numbered(n, id), numbered(10 + n, 'u2')], at('05'));
    await scene.startArchiver({ ARCHIVE_SEGMENT_MS: '500' });
    await archived();
    expect(numbersIn(scene.archived())).toEqual([0, 1, 2, 3, 4]);
  });

  it('waits for a store that is away, and for the answer about suppressions', async () => {
    await scene.startArchiver();
    scene.store.isAway = true;
    deliveries.standIns.broken.add(CheckSuppression.subject);
    await deliveries.accept([numbered(1)]);
    await until('the archive to wait', async () => (await consumerOf()).num_ack_pending > 0);
    scene.store.isAway = false;
    expect(await isRead()).toBe(false);
    deliveries.standIns.broken.clear();
    await archived();
    expect(numbersIn(scene.archived())).toEqual([1]);
  });

  it('skips what is not a batch, and keeps the rest of its message', async () => {
    await scene.startArchiver();
    const { workspaceId, sourceId } = deliveries;
    const batch = eventBatch({ workspaceId, sourceId, events: [numbered(1)] });
    const data = `${JSON.stringify(batch)}\nnonsense\n${JSON.stringify({ ...batch, receivedAt: 'soon' })}`;
    await patientJetStream(nats.connection).publish(acceptedSubject(batch), data);
    await archived();
    expect(numbersIn(scene.archived())).toEqual([1]);
  });

  it('forgets days that are too old', async () => {
    await deliveries.accept([numbered(1)], { receivedAt: '2020-01-01T00:00:00.000Z' });
    await deliveries.accept([numbered(2)]);
    const app = await scene.startArchiver();
    await archived();
    scene.store.objects.set(
      `weir/${deliveries.workspaceId}/${deliveries.sourceId}/notes/2020.txt`,
      Buffer.from('mine'),
    );
    await app.get(ArchiveExpiry, { strict: false }).removeOld();
    expect([...scene.store.objects.keys()].filter((key) => key.includes('2020'))).toEqual([
      expect.stringMatching('notes'),
    ]);
    expect([...scene.store.objects.keys()].filter((key) => key.endsWith('.gz'))).toHaveLength(1);
  });
});

describe('a workspace of many sources', () => {
  const SOURCES = 40;
  /** All of them in the partition of the scene's source, which is the first. */
  const sourceIds = () => {
    const { workspaceId, sourceId } = deliveries;
    const ids = [sourceId];
    while (ids.length < SOURCES) {
      const id = newKsuid();
      if (partitionOf(workspaceId, id) === partitionOf(workspaceId, sourceId)) ids.push(id);
    }
    return ids;
  };
  const keys = () => [...scene.store.objects.keys()];

  it('makes few objects, in which each source is read alone and users are deleted', async () => {
    const sources = sourceIds();
    const [first = ''] = sources;
    await deliveries.accept([numbered(100)], at('05'));
    await scene.startArchiver();
    await archived();
    expect(keys()).toEqual([expect.stringContaining(`/${first}/`)]);
    await scene.stopArchivers(); // so the next one finds all of them, however slow the machine is
    for (const [n, sourceId] of sources.entries())
      await deliveries.accept([numbered(n, `u${n % 2}`)], { ...at('06'), sourceId });
    await deliveries.accept([numbered(200)], at('07'));
    const app = await scene.startArchiver({ ARCHIVE_SEGMENT_MS: '1000' });
    await archived();
    expect(keys().length).toBeLessThan(SOURCES / 2);
    expect(await read(app)).toEqual([100, 0, 200]);
    expect(await read(app, { sourceId: sources[9] ?? '' })).toEqual([9]);
    const identifiers = identifiersOfUsers([{ userId: 'u1' }]);
    const purges = new ArchivePurgeRepository(database.dataSource);
    purges.writesEndMs = 0;
    await purges.ask(deliveries.workspaceId, identifiers);
    await until('the user to go', async () => (await read(app, { sourceId: sources[9] ?? '' })).length === 0);
    expect(await read(app, { sourceId: sources[8] ?? '' })).toEqual([8]);
  });
});

it('days that are too old are forgotten soon after a start, because a process may never run for an hour', async () => {
  const folder = `weir/${deliveries.workspaceId}/${deliveries.sourceId}/2019-12-31/23`;
  const key = `${folder}/01-${'1'.repeat(13)}-${'1'.repeat(16)}-${'2'.repeat(16)}-${'a'.repeat(16)}.jsonl.gz`;
  scene.store.objects.set(key, Buffer.from('old'));
  await scene.startArchiver();
  await until('the day to go', () => !scene.store.objects.has(key));
});

describe('an archive that is away', () => {
  const relief = () => new ArchiveRelief(nats.connection, new Metrics('test'));
  const archivers = async () => {
    const { streams } = await patientManager(nats.connection);
    return (await streams.info(EVENTS_ACCEPTED)).state.consumer_count;
  };
  /** As the other readers: everything is acknowledged at once. */
  const othersRead = async () => {
    const { consumers } = await patientManager(nats.connection);
    for (const role of ['collector', 'deliverer'] as const) {
      const name = partitionConsumer(role, partitionOf(deliveries.workspaceId, deliveries.sourceId));
      await consumers.delete(EVENTS_ACCEPTED, name);
    }
  };
  const fill = async (messages: number) => {
    for (let n = 0; n < messages; n += 1)
      await deliveries.accept([numbered(n), { type: 'track', text: 'x'.repeat(100_000) }]);
  };
  beforeEach(() => ensureTopology(nats.connection, { archive: true, streamBytesMax: 1_048_576 }));

  it('gives up what waits before the stream is full, so that events still come in', async () => {
    await othersRead();
    await fill(4);
    await relief().look();
    expect(await archivers()).toBe(46);
    await fill(4);
    await expect(fill(5)).rejects.toThrow();
    await relief().look();
    await fill(10);
    expect(await archivers()).toBe(45);
  });

  it('is not given up for what others have not read', async () => {
    const { consumers } = await patientManager(nats.connection);
    const partition = partitionOf(deliveries.workspaceId, deliveries.sourceId);
    await consumers.delete(EVENTS_ACCEPTED, partitionConsumer('archiver', partition));
    await fill(9);
    const config = { ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.New };
    await consumers.add(EVENTS_ACCEPTED, { durable_name: partitionConsumer('archiver', partition), ...config });
    await relief().look();
    expect(await archivers()).toBe(48);
  });
});
