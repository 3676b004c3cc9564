import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type DestinationRecord,
  GetRangeReplay,
  type JsonObject,
  ListRangeReplays,
  PurgeDeliveryUsers,
  RANGE_REPLAYS_OPEN_MAX,
  type RangeReplay,
  type RangeReplaySelection,
  StartRangeReplay,
  SteerRangeReplay,
} from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { type RecordingServer, recordingServer, until, useDatabase, useNats } from '@weir/testing';
import { lineOf } from '../src/archive/archived-event.js';
import { hourOf, nameOfSegment } from '../src/archive/segment-name.js';
import { migrations } from '../src/migrations/index.js';
import { DeliveryShares } from '../src/queues/delivery-shares.js';
import { type ArchiveScene, eachTestArchives, numbersIn } from './archive-scene.js';
import { type DeliveryScene, numbered, numbersAt } from './delivery-scene.js';

const nats = useNats();
const database = useDatabase('delivery', migrations);
let scene: ArchiveScene;
let deliveries: DeliveryScene;
let server: RecordingServer;
let rpc: RpcClient;
let other: DestinationRecord;

eachTestArchives(database, nats, (begun) => {
  scene = begun;
  ({ deliveries } = begun);
});
beforeEach(async () => {
  server = await recordingServer();
  scene.onClose(() => server.close());
  await deliveries.webhook(`${server.url}/live`);
  other = deliveries.unconnected(`${server.url}/other`);
  await deliveries.put(other);
  rpc = await scene.startRequests();
  await scene.startArchiver();
});

const WAITS_FOR_ARCHIVE = 'Waits until the archive has all events of its range';
const MINUTE_MS = 60_000;
const START = Date.parse('2026-03-01T10:00:00.000Z');
const minute = (n: number) => new Date(START + n * MINUTE_MS).toISOString();
/** One event a minute. */
async function acceptMinutes(count: number, userId = 'u1'): Promise<void> {
  for (let n = 0; n < count; n += 1) await deliveries.accept([numbered(n, userId)], { receivedAt: minute(n) });
  await scene.stored();
}

const selection = (more: Partial<RangeReplaySelection> = {}): RangeReplaySelection => ({
  ...{ sourceId: deliveries.sourceId, destinationId: other.id, from: minute(0), to: minute(1_000) },
  ...{ dryRun: false, eventsPerSecond: 10_000, ...more },
});
async function start(more: Partial<RangeReplaySelection> = {}): Promise<RangeReplay> {
  const { workspaceId } = deliveries;
  return (await rpc.send(StartRangeReplay, { workspaceId, selection: selection(more), by: 'ada@example.com' })).replay;
}
const get = async (id: string, workspaceId = deliveries.workspaceId) =>
  (await rpc.send(GetRangeReplay, { workspaceId, id })).replay;
const steer = async (id: string, state: 'running' | 'paused' | 'cancelled', workspaceId = deliveries.workspaceId) =>
  (await rpc.send(SteerRangeReplay, { workspaceId, id, state })).replay;
const ended = (id: string) =>
  until('the replay to end', async () => {
    const replay = await get(id);
    return replay.endedAt !== undefined && replay;
  });
const at = (path: string) => numbersAt(server, path);
const keysAt = (path: string) =>
  server.requests.filter((request) => request.path === path).map(({ headers }) => headers['idempotency-key']);

describe('a replay of a time range', () => {
  it('counts first, and changes nothing', async () => {
    await acceptMinutes(5);
    const { id, state } = await start({ dryRun: true, from: minute(1), to: minute(4) });
    expect(state).toBe('running');
    const replay = await ended(id);
    expect(replay).toMatchObject({ state: 'done', dryRun: true, eventCount: 3, suppressedCount: 0 });
    expect(replay.byteCount).toBeGreaterThan(100);
    expect(replay.reachedAt).toBe(minute(0));
    expect(await deliveries.queued(other.id)).toBe(0);
  });

  it('goes on behind a segment that cannot be read, and counts it', async () => {
    for (const n of [0, 60, 120]) await deliveries.accept([numbered(n)], { receivedAt: minute(n) });
    await scene.stored();
    const [broken = ''] = [...scene.store.objects.keys()].toSorted();
    scene.store.objects.set(broken, (scene.store.objects.get(broken) ?? Buffer.alloc(0)).subarray(0, -12));
    const replay = await ended((await start({ dryRun: true })).id);
    expect(replay).toMatchObject({ state: 'done', unreadableSegments: 1 });
    expect(replay.eventCount).toBeGreaterThanOrEqual(2);
  });

  it('waits for events of its range that are not archived yet', async () => {
    await acceptMinutes(1);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    scene.store.onStored = () => answered; // so the archiver does not know that it is stored
    await deliveries.accept([numbered(1)], { receivedAt: minute(1) });
    const { id } = await start({ dryRun: true });
    await until('the replay to wait', async () => (await get(id)).problem === WAITS_FOR_ARCHIVE);
    const earlier = await start({ dryRun: true, to: minute(0.4) });
    expect(await ended(earlier.id)).toMatchObject({ state: 'done', eventCount: 1 });
    expect(await get(id)).toMatchObject({ state: 'running', eventCount: 0 });
    scene.store.onStored = () => undefined;
    answer();
    expect(await ended(id)).toMatchObject({ state: 'done', eventCount: 2 });
  });

  it('sends to another destination, in order, with the keys of the first delivery', async () => {
    await deliveries.startDeliverer();
    await acceptMinutes(5);
    await until('the live deliveries', () => at('/live').length === 5);
    const { id } = await start({ from: minute(1), to: minute(4) });
    expect(await ended(id)).toMatchObject({ state: 'done', eventCount: 3 });
    await until('the replay to arrive', () => at('/other').length === 3);
    expect(at('/other')).toEqual([1, 2, 3]);
    expect(keysAt('/other')).toEqual(keysAt('/live').slice(1, 4));
    expect(at('/live')).toHaveLength(5);
  });

  it('runs the code of the destination, and leaves out what nobody asked for', async () => {
    await deliveries.startDeliverer();
    deliveries.standIns.publish(
      deliveries.workspaceId,
      other.id,
      (event) =>
        ({
          ...{
            status: 'ok',
            outputs: [{ ...event, properties: { n: Number((event['properties'] as JsonObject)['n']) + 100 } }],
          },
        }) as never,
    );
    const named = { ...numbered(7), event: 'Bought' };
    await deliveries.accept([numbered(1), named, { ...numbered(3), type: 'page' }], { receivedAt: minute(0) });
    await scene.stored();
    const { id } = await start({ types: ['track'], events: ['Bought'] });
    expect(await ended(id)).toMatchObject({ eventCount: 1 });
    await until('the event to arrive', () => at('/other').length === 1);
    expect(at('/other')).toEqual([107]);
  });

  it('keeps its rate, pauses, goes on and ends with each event once', async () => {
    await deliveries.startDeliverer();
    await acceptMinutes(12);
    const { id } = await start({ eventsPerSecond: 1, to: minute(12) });
    await until('the first turn', async () => (await get(id)).eventCount >= 5);
    expect(await steer(id, 'paused')).toMatchObject({ state: 'paused', eventCount: 5 });
    expect(await get(id)).toMatchObject({ state: 'paused', eventCount: 5 });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    scene.store.onStored = () => answered; // a new replay would wait for this event, which is near the end of the range
    await deliveries.accept([numbered(99)], { receivedAt: minute(12.4) });
    await database.dataSource.query('UPDATE range_replays SET events_per_second = 1000 WHERE id = $1', [id]);
    await steer(id, 'running');
    expect(await ended(id)).toMatchObject({ state: 'done', eventCount: 12 });
    answer();
    await until('all to arrive', () => at('/other').length === 12);
    expect(at('/other')).toEqual(Array.from({ length: 12 }, (_, n) => n));
    await expect(steer(id, 'paused')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is cancelled for good', async () => {
    await acceptMinutes(8);
    const { id } = await start({ eventsPerSecond: 1 });
    expect(await steer(id, 'cancelled')).toMatchObject({ state: 'cancelled', endedAt: expect.any(String) });
    await expect(steer(id, 'running')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('goes on from its place after a kill, and repeats one step at most under the same keys', async () => {
    await deliveries.startDeliverer();
    await acceptMinutes(3);
    const { id } = await start({ from: minute(0), to: minute(2) });
    await ended(id);
    // a process that died after it had queued a step, and before it kept the place
    await database.dataSource.query(
      `UPDATE range_replays SET state = 'running', ended_at = NULL, place = NULL, events = 0, turn = gen_random_uuid(),
         to_time = $2, next_at = now() WHERE id = $1`,
      [id, minute(3)],
    );
    expect(await ended(id)).toMatchObject({ eventCount: 3 });
    await until('the rest to arrive', () => at('/other').includes(2));
    await deliveries.drained();
    expect(new Set(keysAt('/other')).size).toBe(3);
    expect(at('/other').filter((n) => n === 2)).toHaveLength(1);
  });

  it('sends nothing of users who are suppressed, or were deleted since', async () => {
    await deliveries.startDeliverer();
    await deliveries.accept([numbered(1), numbered(2, 'u2'), numbered(3, 'u3')], { receivedAt: minute(0) });
    await scene.stored();
    await until('the live deliveries', () => at('/live').length === 3);
    deliveries.standIns.suppressed.add('u2');
    deliveries.standIns.deletedUntil.set('u3', minute(1));
    const { id } = await start();
    expect(await ended(id)).toMatchObject({ eventCount: 1, suppressedCount: 2 });
    await until('the event to arrive', () => at('/other').length === 1);
    await deliveries.drained();
    expect(at('/other')).toEqual([1]);
  });

  it('waits while much waits for its destination, and pauses when that is disabled', async () => {
    await acceptMinutes(2);
    await database.dataSource.query(
      'INSERT INTO delivery_shares (workspace_id, destination_id, block, bytes) VALUES ($1, $2, 0, 5000000)',
      [deliveries.workspaceId, other.id],
    );
    const shares = async () => (await scene.archivers[0]?.get(DeliveryShares, { strict: false }))?.waitingFor(other.id);
    await until('the archiver to know', async () => ((await shares()) ?? 0) > 0);
    const { id } = await start();
    const waits = async () => (await get(id)).problem;
    await until('the replay to wait', async () => (await waits()) !== undefined);
    expect(await get(id)).toMatchObject({
      state: 'running',
      eventCount: 0,
      problem: expect.stringMatching('Waits until'),
    });
    await deliveries.put({ ...other, enabled: false });
    await until('the replay to pause', async () => (await get(id)).state === 'paused');
    expect(await waits()).toBe('The destination is disabled');
  });

  it('is nothing that another workspace sees, steers, or is sent', async () => {
    await acceptMinutes(1);
    const stranger = newKsuid();
    const { id } = await start({ dryRun: true });
    await expect(get(id, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(steer(id, 'cancelled', stranger)).rejects.toMatchObject({ code: 'not_found' });
    expect((await rpc.send(ListRangeReplays, { workspaceId: stranger })).replays).toEqual([]);
    const theirs = await rpc.send(StartRangeReplay, { workspaceId: stranger, selection: selection() });
    await until('it to fail', async () => (await get(theirs.replay.id, stranger)).state === 'failed');
    const { replays } = await rpc.send(ListRangeReplays, { workspaceId: deliveries.workspaceId });
    expect(replays.map((replay) => replay.id)).toEqual([id]);
  });

  it('is one of few that have not ended', async () => {
    await scene.stopArchivers();
    for (let n = 0; n < RANGE_REPLAYS_OPEN_MAX; n += 1) await start();
    await expect(start()).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a long range', () => {
  const DAYS_365_MS = 365 * 86_400_000;
  const LISTING = 'GET ';

  it('with few events costs few listings', async () => {
    const from = new Date(START - DAYS_365_MS).toISOString();
    await deliveries.accept([numbered(1)], { receivedAt: from });
    await acceptMinutes(1);
    scene.store.requests.length = 0;
    const { id } = await start({ dryRun: true, from });
    expect(await ended(id)).toMatchObject({ eventCount: 2, reachedAt: minute(0) });
    expect(scene.store.requests.filter((request) => request === LISTING).length).toBeLessThan(100);
  });

  it('keeps its place and stops while it finds nothing, and goes on from there', async () => {
    const SEGMENTS = 40;
    const { workspaceId, sourceId } = deliveries;
    const of = {
      workspaceId,
      shelf: sourceId,
      hour: hourOf(minute(0)),
      partition: 0,
      stream: START,
      digest: '0'.repeat(16),
    };
    for (let sequence = 1; sequence <= SEGMENTS; sequence += 1) {
      const receivedAt = minute(sequence);
      const line = lineOf({
        sequence,
        position: 0,
        index: 0,
        sourceId,
        batchId: `b${sequence}`,
        receivedAt,
        event: numbered(1),
      });
      const name = nameOfSegment({ ...of, first: sequence, last: sequence });
      scene.store.objects.set(`weir/${name}`, gzipSync(line));
    }
    let read = 0;
    let stopping: Promise<void> | undefined;
    scene.store.onRead = async () => {
      read += 1;
      if (read === 5) stopping ??= scene.stopArchivers(); // later than the first place that it keeps, however slow the machine is
      await delay(100);
    };
    const { id } = await start({ dryRun: true, from: minute(SEGMENTS) });
    await until('the archiver to be told', () => stopping !== undefined);
    await stopping;
    expect(read).toBeLessThan(SEGMENTS);
    expect(await get(id)).toMatchObject({ state: 'running', eventCount: 0, reachedAt: minute(0) });
    read = 0;
    await scene.startArchiver();
    expect(await ended(id)).toMatchObject({ eventCount: 1 });
    expect(read).toBeLessThan(SEGMENTS);
  });
});

describe('a deletion', () => {
  const purge = async (userId: string, purgeId?: string) => {
    const request = { workspaceId: deliveries.workspaceId, users: [{ userId }], ...(purgeId && { purgeId }) };
    for (let done = false; !done; ) ({ done } = await rpc.send(PurgeDeliveryUsers, request));
  };

  it('rewrites the segments that hold the user, and no others', async () => {
    await deliveries.accept([numbered(1, 'u1'), numbered(2, 'u2')], { receivedAt: minute(0) });
    await deliveries.accept([numbered(3, 'u2')], { receivedAt: minute(60) });
    await deliveries.accept([numbered(4, 'u1'), { ...numbered(5, 'u9'), type: 'alias', previousId: 'u1' }], {
      receivedAt: minute(120),
    });
    await scene.stored();
    const before = new Map(scene.store.objects);
    await purge('u1', newKsuid());
    expect(numbersIn(scene.archived())).toEqual([2, 3]);
    const same = [...before].filter(([key, body]) => scene.store.objects.get(key)?.equals(body));
    expect(same).toHaveLength(1);
    const { id } = await start({ dryRun: true });
    expect(await ended(id)).toMatchObject({ eventCount: 2 });
    const rows = await database.dataSource.query('SELECT id FROM archive_purges');
    expect(rows).toEqual([]);
  });

  it('is not done while the store is away, and goes on afterwards with any archiver', async () => {
    await deliveries.accept([numbered(1, 'u1'), numbered(2, 'u2')], { receivedAt: minute(0) });
    await scene.stored();
    scene.store.isAway = true;
    const request = { workspaceId: deliveries.workspaceId, users: [{ userId: 'u1' }], purgeId: newKsuid() };
    expect(await rpc.send(PurgeDeliveryUsers, request)).toEqual({ done: false });
    await database.dataSource.query(`UPDATE archive_purges SET progress_at = now() - interval '1 hour'`);
    await expect(rpc.send(PurgeDeliveryUsers, request)).rejects.toMatchObject({ code: 'unavailable' });
    scene.store.isAway = false;
    await scene.stopArchivers();
    await scene.startArchiver();
    await database.dataSource.query('UPDATE archive_purges SET progress_at = now(), next_at = now()');
    await purge('u1', request.purgeId);
    expect(numbersIn(scene.archived())).toEqual([2]);
  });
});
