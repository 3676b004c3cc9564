import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type JsonObject, PAYLOAD_BYTES_MAX, suppressedEventsSubject, TRACE_BYTES_MAX } from '@weir/contracts';
import { destinationAad, newKsuid } from '@weir/service-kit';
import { destinationRecord, type RecordingServer, trackEvent, until, useDatabase, useNats } from '@weir/testing';
import { PurgeFence } from '../src/checks/purge-fence.js';
import { migrations } from '../src/migrations/index.js';
import { ReplayRepository } from '../src/replays/replay.repository.js';
import { TraceRepository } from '../src/traces/trace.repository.js';
import { TraceDays } from '../src/traces/trace-days.js';
import { TraceReader } from '../src/traces/trace-reader.js';
import { type Arrival, messageKeyOf } from '../src/traces/trace-row.js';
import { identifierKeyOf } from '../src/units/match-keys.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
});

const reader = () => new TraceReader(database.dataSource);
const find = (messageId: string) => reader().find(scene.workspaceId, messageId);
const event = (messageId: string, fields: JsonObject = {}) => trackEvent({ userId: 'ada', messageId, ...fields });

/** Resolves with the trace once it stands so at one of its destinations, which have no order. */
const traced = (messageId: string, status: string) =>
  until(`${messageId} to be ${status}`, async () => {
    const trace = await find(messageId);
    return trace?.destinations.some((destination) => destination.status === status) && trace;
  });

describe('a traced event', () => {
  it('is told from its acceptance through code, payload and answer to its delivery', async () => {
    const secret = 'hush-hush-hush';
    const id = newKsuid();
    const owner = { id, workspaceId: scene.workspaceId };
    const config = { webhookUrl: `${server.url}/hook`, headers: [{ from: 'Authorization', to: secret }] };
    const sealedConfig = scene.sealer.seal(config, destinationAad(owner));
    await scene.connect(destinationRecord({ ...owner, sealedConfig }));
    scene.standIns.publish(scene.workspaceId, id, (given) => ({
      status: 'ok',
      outputs: [{ ...given, event: 'Changed' }],
    }));
    await scene.startDeliverer();
    await scene.accept([event('m1')]);
    const trace = await traced('m1', 'delivered');
    expect(trace).toMatchObject({
      ...{ messageId: 'm1', sourceId: scene.sourceId, eventType: 'track', status: 'routed', notKept: [] },
      ...{ receivedAt: expect.any(String), bytes: expect.any(Number), sampling: { share: 1, keptDays: 7 } },
    });
    const [step] = trace.destinations[0]?.steps ?? [];
    expect(step).toMatchObject({
      step: 'delivered',
      attempt: 1,
      responseStatus: 200,
      milliseconds: expect.any(Number),
    });
    expect(step?.code).toEqual({
      result: 'changed',
      versionId: scene.standIns.releases.get(id)?.versionId,
      changes: [{ op: 'replace', path: '/event', from: 'Order Completed', to: 'Changed' }],
    });
    expect(step?.payloads).toMatchObject([{ method: 'POST', body: { JSON: { event: 'Changed', userId: 'ada' } } }]);
    expect(step?.payloads).toMatchObject([{ headers: { authorization: '***' } }]);
    expect(JSON.stringify(trace)).not.toContain(secret);
    expect(await new TraceReader(database.dataSource).find(newKsuid(), 'm1')).toBeUndefined();
  });

  it('is told when code drops it or fails, when it is refused, and when it goes nowhere', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (given) => {
      if (given['messageId'] === 'dropped') return { status: 'dropped' };
      if (given['messageId'] === 'failing') return { status: 'error', error: { message: 'Error: boom' } };
      return { status: 'ok', outputs: [given] };
    });
    server.answer({ status: 422, body: { problem: 'no' } });
    const alone = newKsuid();
    const off = newKsuid();
    await scene.startDeliverer();
    const disabled = await scene.webhook(`${server.url}/off`, { enabled: false });
    await scene.connectSource(off, disabled.id);
    await scene.accept([event('dropped'), event('failing'), event('refused')]);
    await scene.accept([event('alone')], { sourceId: alone });
    await scene.accept([event('off')], { sourceId: off });
    const versionId = scene.standIns.releases.get(id)?.versionId;
    const stepsOf = async (messageId: string, status: string) =>
      (await traced(messageId, status)).destinations.find(({ destinationId }) => destinationId === id)?.steps ?? [];
    expect(await stepsOf('dropped', 'dropped_by_code')).toMatchObject([{ code: { result: 'dropped', versionId } }]);
    expect(await stepsOf('failing', 'dead')).toMatchObject([
      { step: 'dead', stage: 'user_transform', reason: 'Error: boom', code: { result: 'failed', versionId } },
    ]);
    expect(await stepsOf('refused', 'dead')).toMatchObject([
      { step: 'failed', attempt: 1, responseStatus: 422, reason: '{"problem":"no"}', code: { result: 'unchanged' } },
      { step: 'dead', stage: 'delivery', deliveryId: expect.any(String) },
    ]);
    expect((await traced('off', 'destination_disabled')).destinations).toHaveLength(1);
    await until('the event without a connection', async () => (await find('alone'))?.status === 'no_connection');
  });

  it('is not compared when it is large, because that would hold up the events of others', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (given) => ({ status: 'ok', outputs: [{ ...given, seen: true }] }));
    await scene.startDeliverer();
    await scene.accept([event('large', { properties: { list: new Array(20_000).fill(0) } })]);
    const [step] = (await traced('large', 'delivered')).destinations[0]?.steps ?? [];
    const versionId = scene.standIns.releases.get(id)?.versionId;
    expect(step).toMatchObject({ code: { result: 'not_compared', versionId }, responseStatus: 200 });
    expect(step?.payloads).toEqual(['(a large event, not kept)']);
  });

  it('goes only where its client wants it, and no code sees it elsewhere', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const seen: unknown[] = [];
    scene.standIns.publish(scene.workspaceId, id, (given) => {
      seen.push(given['messageId']);
      return { status: 'ok', outputs: [given] };
    });
    await scene.startDeliverer();
    await scene.accept([
      { ...event('unwanted'), integrations: { All: false, Amplitude: true } },
      { ...event('refused'), integrations: { WEBHOOK: false } },
      { ...event('wanted'), integrations: { All: false, Webhook: true } },
    ]);
    const [request] = await server.received(1);
    expect(request?.json).toMatchObject({ messageId: 'wanted' });
    for (const messageId of ['unwanted', 'refused']) {
      const { destinations } = await traced(messageId, 'filtered');
      const reason = "The event's `integrations` leave this destination out";
      expect(destinations).toMatchObject([{ destinationId: id, steps: [{ step: 'filtered', reason }] }]);
    }
    await scene.drained();
    expect(seen).toEqual(['wanted']);
    expect(server.requests).toHaveLength(1);
  });

  it('is told while it is tried again, as dead, as replayed and at last as delivered', async () => {
    const { id: destinationId } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    await scene.accept([event('m2')]);
    const retrying = await traced('m2', 'retrying');
    expect(Date.parse(retrying.destinations[0]?.nextAttemptAt ?? '')).toBeGreaterThan(0);
    server.answer({ status: 400 });
    const dead = await traced('m2', 'dead');
    expect(dead.destinations[0]?.steps.at(-1)).toMatchObject({ step: 'dead', deliveryId: expect.any(String) });
    server.answer({});
    await new ReplayRepository(database.dataSource).request(scene.workspaceId, { destinationId });
    const steps = (await traced('m2', 'delivered')).destinations[0]?.steps.map(({ step }) => step) ?? [];
    expect(steps.slice(-3)).toEqual(['dead', 'replayed', 'delivered']);
  });

  it('is one of those of its user, newest first and page by page', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    const all = Array.from({ length: 25 }, (_, n) => event(`n${n}`));
    await scene.accept([...all, event('other', { userId: 'bob' })]);
    await traced('other', 'delivered');
    await traced('n24', 'delivered');
    const first = await reader().ofUser(scene.workspaceId, 'ada');
    const second = await reader().ofUser(scene.workspaceId, 'ada', first.next);
    const names = [...first.traces, ...second.traces].map(({ messageId }) => messageId);
    expect(names).toEqual(all.map(({ messageId }) => messageId).reverse());
    expect([first.traces.length, second.next]).toEqual([20, undefined]);
    await expect(reader().ofUser(scene.workspaceId, 'ada', 'x')).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('an answer about long lives', () => {
  /** A NUL and half of a surrogate pair, which `jsonb` refuses, and a backslash before what only looks like one. */
  const HOSTILE = 'a\0\ud800b\\u0000\\\0🙂';
  /** Rows as a delivery writes them that was tried again and again. Random payloads cannot be compressed. */
  async function addLife(messageId: string, steps: number): Promise<void> {
    const [workspaceId, sourceId, destinationId] = [scene.workspaceId, scene.sourceId, newKsuid()];
    const of = [workspaceId, sourceId, messageKeyOf(messageId), identifierKeyOf('userId=ada')];
    const receivedAt = new Date().toISOString();
    const arrival: Arrival = { step: 'accepted', messageId, receivedAt, routes: [{ destinationId }] };
    const columns = 'workspace_id, source_id, message_key, user_key, destination_id, share, step';
    const add = (values: unknown[]) =>
      database.dataSource.query(
        `INSERT INTO traces (${columns}) VALUES ($1, $2, decode($3, 'hex'), $4, $5, 1, $6)`,
        values,
      );
    await add([...of, null, JSON.stringify(arrival)]);
    for (let attempt = 1; attempt <= steps; attempt += 1) {
      const payloads = [`${HOSTILE}${randomBytes(8_000).toString('hex')}`];
      const told = { at: new Date(attempt).toISOString(), step: 'failed', attempt, reason: HOSTILE };
      const step = { ...told, code: { result: 'changed', changes: [HOSTILE] }, payloads, eventKey: 'b.0' };
      await add([...of.slice(0, 3), null, destinationId, JSON.stringify(step)]);
    }
  }

  it('leaves out the payloads of older steps, and says so', async () => {
    await addLife('long', 150);
    const trace = await find('long');
    const steps = trace?.destinations[0]?.steps ?? [];
    expect(steps).toHaveLength(150);
    const withPayloads = steps.filter(({ payloads }) => payloads).map(({ attempt }) => attempt);
    expect(withPayloads).toEqual([...Array(withPayloads.length).keys()].map((n) => 151 - withPayloads.length + n));
    expect(withPayloads.length).toBeGreaterThan(10);
    expect(trace).toMatchObject({ messageId: 'long', status: 'routed' });
    expect(steps[0]).toMatchObject({ reason: 'a\ufffd\ufffdb\\u0000\\\ufffd🙂', code: { result: 'changed' } });
    expect(steps.at(-1)).toMatchObject({ reason: HOSTILE, code: { changes: [HOSTILE] } });
    expect(trace?.notKept).toContain('Payloads and changes of older steps: they do not fit one answer');
    expect(JSON.stringify(trace).length).toBeLessThan(TRACE_BYTES_MAX);
  });

  it('ends a page early, and goes on from there', async () => {
    const names = [...'abcdefg'];
    for (const name of names) await addLife(name, 30);
    const found: unknown[] = [];
    let pages = 0;
    for (let next: string | undefined; pages === 0 || next !== undefined; pages += 1) {
      const page = await reader().ofUser(scene.workspaceId, 'ada', next);
      expect(JSON.stringify(page).length).toBeLessThan(PAYLOAD_BYTES_MAX);
      found.push(...page.traces.map(({ messageId }) => messageId));
      ({ next } = page);
    }
    expect(found).toEqual(names.toReversed());
    expect(pages).toBeGreaterThan(2);
  });
});

describe('a busy source', () => {
  it('is sampled by message id, each event whole or not at all, and the share is told', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer({ TRACES_PER_SECOND: '20' });
    await scene.accept(Array.from({ length: 200 }, (_, n) => event(`s${n}`, { userId: `u${n}` })));
    await scene.drained();
    const found = await until('the traced ones to be delivered', async () => {
      const all = await Promise.all([...Array(200).keys()].map((n) => find(`s${n}`)));
      const kept = all.filter((one) => one !== undefined);
      return kept.length > 0 && kept.every((one) => one.destinations[0]?.status === 'delivered') && kept;
    });
    expect(found.length).toBeLessThan(60);
    for (const trace of found) expect(trace).toMatchObject({ sampling: { share: 0.1 }, bytes: expect.any(Number) });
  });

  it('leaves no rows where the budget is nothing', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer({ TRACES_PER_SECOND: '0' });
    await scene.accept([event('untraced')]);
    await scene.drained();
    await scene.stopDeliverers();
    expect(await find('untraced')).toBeUndefined();
  });
});

describe('users that regulations name', () => {
  const rowsOf = (workspaceId: string) =>
    database.dataSource.query<JsonObject[]>(
      `SELECT user_key, match_keys, step::text AS step, encode(message_key, 'hex') AS key FROM traces
       WHERE workspace_id = $1`,
      [workspaceId],
    );

  it('leave nothing but the fact that an event was stopped', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    const { workspaceId, sourceId } = scene;
    const stopped = { sourceId, receivedAt: '2026-01-01T00:00:00.000Z', messageId: 'of-gone-1', type: 'track' };
    const told = { workspaceId, counts: [{ sourceId, events: 1 }], events: [stopped] };
    nats.connection.publish(suppressedEventsSubject(workspaceId), JSON.stringify(told));
    const trace = await until('the trace', () => find('of-gone-1'));
    expect(trace).toMatchObject({ status: 'suppressed', eventType: 'track', destinations: [] });
    expect(JSON.stringify(await rowsOf(workspaceId))).not.toContain('gone');
  });

  it('are blinded when they were suppressed after the filter had passed their events', async () => {
    await scene.webhook(`${server.url}/hook`);
    scene.standIns.suppressed.add('gone');
    await scene.startDeliverer();
    await scene.accept([event('m-gone', { userId: 'gone', traits: { email: 'gone@example.org' } })]);
    const trace = await traced('m-gone', 'suppressed');
    expect(trace.notKept).toEqual(['The content of the event: its user is suppressed or deleted']);
    for (const row of await rowsOf(scene.workspaceId)) {
      expect(row).toMatchObject({ user_key: null, match_keys: null });
      expect(row['step']).not.toContain('gone');
    }
    expect((await reader().ofUser(scene.workspaceId, 'gone')).traces).toEqual([]);
  });

  it('are gone with every step that held something of them, by id and by trait', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    const identify = { ...event('by-trait'), type: 'identify', userId: 'eve', traits: { email: 'eve@example.org' } };
    await scene.accept([event('by-id', { userId: 'gone' }), identify, event('kept', { userId: 'bob' })]);
    for (const id of ['by-id', 'by-trait', 'kept']) await traced(id, 'delivered');
    const repository = new TraceRepository(
      database.dataSource,
      new TraceDays(database.dataSource),
      new PurgeFence(database.dataSource),
    );
    await repository.purge(newKsuid(), [identifierKeyOf('userId=gone')]);
    expect(await find('by-id')).toBeDefined();
    await repository.purge(scene.workspaceId, ['userId=gone', 'email=eve@example.org'].map(identifierKeyOf));
    expect([await find('by-id'), await find('by-trait')]).toEqual([undefined, undefined]);
    expect(await find('kept')).toBeDefined();
  });
});

describe('a database that is slow or away', () => {
  it('delays no delivery', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    const blocker = database.dataSource.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE traces IN ACCESS EXCLUSIVE MODE');
    await scene.accept([event('quick')]);
    await scene.drained();
    expect(server.requests).toHaveLength(1);
    await blocker.rollbackTransaction();
    await blocker.release();
  });
});
