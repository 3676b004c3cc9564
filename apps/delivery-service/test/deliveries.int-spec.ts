import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  type DeliveryStatus,
  type LiveOutcome,
  type LiveOutcomes,
  liveOutcomesSubject,
  suppressedEventsSubject,
} from '@weir/contracts';
import { DELIVERIES } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  deleteInventory,
  patientManager,
  type RecordingServer,
  trackEvent,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { type CountFlush, DeliveryCountRepository, DeliveryCounts } from '../src/outcomes/delivery-counts.js';
import { ReplayRepository } from '../src/replays/replay.repository.js';
import { DeliveryListRepository } from '../src/requests/delivery-list.repository.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';
import { lettersIn } from './letters.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
});

const numbered = (n: number, userId = 'u1') => trackEvent({ userId, messageId: `m${n}`, properties: { n } });
const arrived = () => server.requests.map(({ json }) => (json as { properties: { n: number } }).properties.n);
const listed = async (status?: DeliveryStatus, destinationId?: string) =>
  (await new DeliveryListRepository(database.dataSource).list(scene.workspaceId, { status, destinationId })).deliveries;
/** The hour before counts too, because a test may run at the turn of an hour. */
const allCounters = async () =>
  (await new DeliveryCountRepository(database.dataSource).list(scene.workspaceId, { hours: 2 })).counters;
const counters = async () => (await allCounters())[0];
const replays = () => new ReplayRepository(database.dataSource);
/** Resolves when that many dead letters exist. */
const dead = (count: number) => until(`${count} dead letters`, async () => (await listed('dead')).length === count);

/** Loses the answer of the first flush after it is stored, as a connection that breaks at the wrong moment does. */
class ForgetfulCounts extends DeliveryCountRepository {
  private isFirst = true;

  override async add(flush: CountFlush): Promise<void> {
    await super.add(flush);
    if (!this.isFirst) return;
    this.isFirst = false;
    throw new Error('Connection terminated unexpectedly');
  }
}

describe('counts', () => {
  it('of a flush whose answer got lost are added once', async () => {
    const owner = { workspaceId: scene.workspaceId, destinationId: newKsuid() };
    const counts = new DeliveryCounts(new ForgetfulCounts(database.dataSource));
    counts.onApplicationBootstrap();
    counts.add(owner, 'delivered', 61);
    await until('the counts to be stored', async () => (await counters())?.delivered === 61);
    counts.add(owner, 'delivered', 30);
    await counts.onModuleDestroy();
    expect((await counters())?.delivered).toBe(91);
  });

  it('of attempts are kept by minute too, whatever hour they belong to', async () => {
    const owner = { workspaceId: scene.workspaceId, destinationId: newKsuid() };
    const counts = new DeliveryCounts(new DeliveryCountRepository(database.dataSource));
    counts.add(owner, 'dead', 3);
    counts.add(owner, 'dead', 2, Date.now() - 3_600_000);
    counts.add(owner, 'dead', -1, Date.now() - 7_200_000);
    counts.add(owner, 'accepted', 9);
    await counts.onModuleDestroy();
    const sql = 'SELECT name, sum(events)::int AS events FROM attempt_minutes WHERE destination_id = $1 GROUP BY name';
    const rows = await database.dataSource.query<object[]>(sql, [owner.destinationId]);
    expect(rows).toEqual([{ name: 'dead', events: 5 }]);
  });
});

describe('deliveries', () => {
  it('that are tried again are listed with attempts and reason, until they arrive', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503, body: { problem: 'full' } });
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    const [delivery] = await until('the delivery to be listed', async () => {
      const found = await listed('retrying', id);
      return found.length > 0 && found;
    });
    expect(delivery).toMatchObject({
      status: 'retrying',
      destinationId: id,
      sourceId: scene.sourceId,
      messageId: 'm1',
      eventType: 'track',
      eventName: 'Order Completed',
      reason: '{"problem":"full"}',
      responseStatus: 503,
      attempts: expect.any(Number),
      nextAttemptAt: expect.any(String),
    });
    server.answer({});
    await scene.drained();
    await until('the list to be empty', async () => (await listed()).length === 0);
  });

  it('that a killed owner left are forgotten by the next one', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    await database.dataSource.query(
      `INSERT INTO retrying_deliveries (workspace_id, destination_id, source_id, event_key, reason, attempts, received_at,
                                        last_attempt_at, next_attempt_at)
       VALUES ($1, $2, $3, 'old.0.0', 'old', 3, now(), now(), now())`,
      [scene.workspaceId, id, scene.sourceId],
    );
    expect(await listed('retrying')).toHaveLength(1);
    await scene.startDeliverer();
    await until('the list to be empty', async () => (await listed()).length === 0);
  });

  it('come page by page, what is tried again before what is dead', async () => {
    const insert = (table: string, columns: string, values: string, count: number) =>
      database.dataSource.query(
        `INSERT INTO ${table} (workspace_id, destination_id, source_id, event_key, reason, attempts, received_at, ${columns})
         SELECT $1, 'd', 's', 'e' || n, 'no', 1, now(), ${values} FROM generate_series(1, ${count}) AS n`,
        [scene.workspaceId],
      );
    await insert('retrying_deliveries', 'last_attempt_at, next_attempt_at', 'now(), now()', 30);
    await insert('dead_letters', 'stage, event, match_keys', `'delivery', '{}', '{}'`, 45);
    const repository = new DeliveryListRepository(database.dataSource);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await repository.list(scene.workspaceId, {}, cursor);
      seen.push(...page.deliveries.map(({ status, id }) => `${status} ${id.padStart(9, '0')}`));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(75);
    expect(seen).toEqual([...seen].sort().reverse());
    expect((await repository.list(newKsuid(), {})).deliveries).toEqual([]);
    await expect(repository.list(scene.workspaceId, {}, 'dead.x')).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('a dead letter whose event holds what no text column does', () => {
  const odd = { type: 'track', event: 'a\0b', messageId: '\ud800m', properties: { 'k\0': '\0', half: '\udc00' } };
  const shown = { eventType: 'track', eventName: 'a\uFFFDb', messageId: '\uFFFDm', reason: 'no\uFFFD' };
  const ids = () => ({ workspaceId: scene.workspaceId, destinationId: newKsuid(), sourceId: scene.sourceId });

  it('is listed with U+FFFD in its names, beside others, and shown as it was accepted', async () => {
    const failure = { stage: 'delivery' as const, reason: 'no\0', attempts: 1, receivedAt: new Date().toISOString() };
    const letters = lettersIn(database.dataSource);
    for (const event of [odd, numbered(1)]) await letters.add([{ ...ids(), ...failure, eventKey: 'e.0', event }]);
    const [last, first] = await listed();
    expect(last).toMatchObject({ messageId: 'm1', eventName: 'Order Completed' });
    expect(first).toMatchObject(shown);
    const repository = new DeliveryListRepository(database.dataSource);
    const found = await repository.find(scene.workspaceId, String(first?.id));
    expect(found?.event).toEqual(odd);
    expect(found?.delivery).toMatchObject(shown);
  });

  it('is listed as well when a release before wrote it, without names', async () => {
    const { workspaceId, destinationId, sourceId } = ids();
    await database.dataSource.query(
      `INSERT INTO dead_letters (workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
                                 received_at) VALUES ($1, $2, $3, 'e.0', 'delivery', 'no', 1, $4, '{}', now())`,
      [workspaceId, destinationId, sourceId, JSON.stringify(odd)],
    );
    expect(await listed()).toMatchObject([{ ...shown, reason: 'no' }]);
  });
});

describe('counters', () => {
  it('say what became of every event', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (event) => {
      const { n } = event['properties'] as { n: number };
      if (n === 0) return { status: 'dropped' };
      return { status: 'ok', outputs: n === 1 ? [event, event] : [event] };
    });
    scene.standIns.suppressed.add('gone');
    const failing = new Set([2]);
    server.answer(({ json }) => {
      const { n } = (json as { properties: { n: number } }).properties;
      if (failing.delete(n)) return { status: 500 };
      return n === 3 ? { status: 400 } : {};
    });
    await scene.startDeliverer();
    await scene.accept([numbered(0), numbered(1), numbered(2), numbered(3), numbered(4, 'gone')]);
    await scene.drained();
    // dead letters are counted where they are written, the rest a moment later
    const counted = await until('everything to be counted', async () => {
      const found = await counters();
      const isWhole = found?.dead === 1 && found.suppressed === 1 && found.delivered === 3 && found.failed === 2;
      return isWhole && found.inRetry === 0 && found;
    });
    expect(counted).toEqual({
      destinationId: id,
      accepted: 5,
      transformed: 5,
      droppedByCode: 1,
      failedInCode: 0,
      filtered: 0,
      suppressed: 1,
      dropped: 0,
      delivered: 3,
      failed: 2,
      dead: 1,
      inRetry: 0,
      latencyMs: { p50: expect.any(Number), p95: expect.any(Number) },
    });
    const hours = await new DeliveryCountRepository(database.dataSource).hours(scene.workspaceId, 2, id);
    const sum = (name: 'accepted' | 'delivered' | 'failed' | 'dead') => hours.reduce((all, row) => all + row[name], 0);
    expect([sum('accepted'), sum('delivered'), sum('failed'), sum('dead')]).toEqual([5, 3, 2, 1]);
    expect(await new DeliveryCountRepository(database.dataSource).hours(newKsuid(), 2, undefined)).toEqual([]);
  });

  it('say since when events wait, and that the breaker is open until its owner no longer says so', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    const waiting = await until('an event that waits', async () => {
      const found = await counters();
      return found?.inRetry === 1 && found;
    });
    expect(waiting).toMatchObject({ waitingSince: expect.any(String) });
    const note = (at: string) =>
      database.dataSource.query(
        `INSERT INTO open_breakers VALUES ($1, $2, ${at}) ON CONFLICT (destination_id) DO UPDATE SET seen_at = EXCLUDED.seen_at`,
        [id, scene.workspaceId],
      );
    await note("now() + interval '1 hour'"); // so that a busy machine does not outlive it
    expect(await counters()).toMatchObject({ breakerOpen: true });
    await note("now() - interval '1 minute'");
    expect(await counters()).not.toHaveProperty('breakerOpen');
  });
});

describe('an event that the filter stopped', () => {
  it('is counted for every destination that would have got it', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const off = await scene.webhook(`${server.url}/off`, { enabled: false });
    await scene.startDeliverer();
    const { workspaceId, sourceId } = scene;
    const told = { workspaceId, counts: [{ sourceId, events: 3 }], events: [] };
    nats.connection.publish(suppressedEventsSubject(workspaceId), JSON.stringify(told));
    await until('the count', async () => (await counters())?.suppressed === 3);
    const counted = (await allCounters()).map(({ destinationId }) => destinationId);
    expect(counted).toEqual([id]);
    expect(counted).not.toContain(off.id);
  });
});

describe('live outcomes', () => {
  it('are told as they happen, and never of users who are suppressed', async () => {
    const told: LiveOutcome[] = [];
    const tap = nats.connection.subscribe(liveOutcomesSubject(scene.workspaceId), {
      callback: (_error, message) => void told.push(...message.json<LiveOutcomes>().outcomes),
    });
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (event) => {
      const { n } = event['properties'] as { n: number };
      if (n === 0) return { status: 'error', error: { message: 'Error: boom' } };
      return n === 1 ? { status: 'dropped' } : { status: 'ok', outputs: [event] };
    });
    scene.standIns.suppressed.add('gone');
    server.script({ status: 503, headers: { 'content-type': 'text/plain' }, body: 'busy' });
    await scene.startDeliverer();
    for (const user of ['gone', 'here']) await scene.accept([0, 1, 2].map((n) => numbered(n, user)));
    await scene.drained();
    await until('every outcome', () => told.length >= 4);
    tap.unsubscribe();
    const shown = told.map(({ outcome, messageId, reason = '' }) => `${outcome} ${messageId} ${reason}`.trim());
    expect(shown.sort()).toEqual(['dead m0 Error: boom', 'delivered m2', 'dropped_by_code m1', 'failed m2 busy']);
    expect(told[0]).toMatchObject({ destinationId: id, sourceId: scene.sourceId, type: 'track' });
  });
});

describe('a replay', () => {
  it('sends one letter again, with the key that it had, and only what was lost', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (event) => ({
      status: 'ok',
      outputs: [0, 1].map((part) => ({ ...event, part })),
    }));
    server.answer(({ json }) => ((json as { part: number }).part === 1 ? { status: 400 } : {}));
    await scene.startDeliverer();
    await scene.accept([numbered(1), numbered(2)]);
    await dead(2);
    const before = server.requests.find(({ json }) => JSON.stringify(json).match(/"n":1.*"part":1/));
    server.clear();
    server.answer({});
    const [letter] = (await listed('dead')).filter(({ messageId }) => messageId === 'm1');
    const selection = { ids: [letter?.id ?? ''] };
    const plan = { deliveries: 1, destinations: [{ destinationId: id, deliveries: 1 }] };
    expect(await replays().plan(scene.workspaceId, selection)).toMatchObject(plan);
    expect(await replays().request(newKsuid(), selection)).toEqual({ deliveries: 0, destinations: [] });
    expect(await replays().request(scene.workspaceId, selection)).toMatchObject(plan);
    await dead(1);
    await scene.drained();
    expect(server.requests.map(({ json }) => json)).toMatchObject([{ messageId: 'm1', part: 1 }]);
    expect(server.requests[0]?.headers['idempotency-key']).toBe(before?.headers['idempotency-key']);
  });

  it('of a range sends what is in it, oldest first; what fails again is a letter again', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 400 });
    await scene.startDeliverer();
    await scene.accept([0, 1, 2].map((n) => numbered(n)));
    await dead(3);
    server.clear();
    server.answer(({ json }) => ((json as { messageId: string }).messageId === 'm1' ? { status: 410 } : {}));
    const [newest] = await listed('dead');
    const from = newest?.lastAttemptAt ?? '';
    const future = new Date(Date.parse(from) + 60_000).toISOString();
    const nothing = { deliveries: 0, destinations: [] };
    const range = { destinationId: id };
    expect(await replays().plan(scene.workspaceId, { ...range, from: future })).toEqual(nothing);
    expect(await replays().plan(scene.workspaceId, { ...range, stage: 'queue' })).toEqual(nothing);
    expect(await replays().request(scene.workspaceId, { ...range, to: future })).toMatchObject({ deliveries: 3 });
    await until('the letter that failed again', async () => {
      const letters = await listed('dead');
      return letters.length === 1 && letters[0]?.responseStatus === 410;
    });
    await scene.drained();
    expect(arrived()).toEqual([0, 1, 2]);
    await until('the letters that were sent to leave the count', async () => (await counters())?.dead === 1);
    server.answer({});
    await replays().request(scene.workspaceId, range);
    // The letters leave the count when they are back in their queue, and are delivered later.
    await until('the last letter to be counted', async () => {
      const found = await counters();
      return found?.dead === 0 && found.delivered === 3;
    });
    await scene.drained();
  });

  it('sends nothing of users who are suppressed by then', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 400 });
    await scene.startDeliverer();
    await scene.accept([numbered(1, 'gone'), numbered(2, 'here')]);
    await dead(2);
    server.clear();
    server.answer({});
    scene.standIns.suppressed.add('gone');
    await replays().request(scene.workspaceId, { destinationId: id });
    await dead(0);
    await scene.drained();
    expect(arrived()).toEqual([2]);
  });

  it('leaves room in the queue of a destination that is slow, and goes on as it gets free', async () => {
    const { id: destinationId } = await scene.webhook(`${server.url}/hook`);
    const { workspaceId, sourceId } = scene;
    let delayMs = 4_000;
    server.answer(() => ({ delayMs }));
    const count = 30;
    const event = trackEvent({ userId: 'u1', properties: { text: 'x'.repeat(300_000) } });
    const letter = {
      workspaceId,
      sourceId,
      destinationId,
      stage: 'queue',
      reason: 'full',
      attempts: 0,
      event,
    } as const;
    const receivedAt = new Date().toISOString();
    const letters = Array.from({ length: count }, (_, n) => ({ ...letter, eventKey: `e${n}`, receivedAt }));
    await lettersIn(database.dataSource).add(letters);
    await replays().request(workspaceId, { destinationId });
    await scene.startDeliverer();
    await until('the replay to begin', async () => (await scene.letters()).length < count);
    await delay(2_500); // two more rounds
    const { streams } = await patientManager(nats.connection);
    expect((await streams.info(DELIVERIES)).state.bytes).toBeLessThan(7_000_000);
    expect((await scene.letters()).length).toBeGreaterThan(0);
    delayMs = 0;
    await until('all to arrive', () => server.requests.length >= count);
    await scene.drained();
  });

  it('for a destination that is gone is given up, and the letters stay', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 400 });
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    await dead(1);
    await deleteInventory(nats.connection, 'destination', id);
    await replays().request(scene.workspaceId, { destinationId: id });
    await until('the letter to be left', async () => (await listed('dead'))[0]?.replayRequestedAt === undefined);
    expect(await listed('dead')).toHaveLength(1);
  });
});
