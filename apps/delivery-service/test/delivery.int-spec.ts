import { describe, expect, it } from '@jest/globals';
import { CheckSuppression, DELIVERY_TIMEOUT_MS, EVENT_BYTES_MAX, type JsonObject, RunCode } from '@weir/contracts';
import { DELIVERIES } from '@weir/messaging';
import {
  deleteInventory,
  patientManager,
  putInventory,
  type RecordingServer,
  trackEvent,
  until,
  useDatabase,
  useNats,
  within,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { type DeliveryScene, eachTestOn, numbered, numbersAt as numbersIn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
});

/** If each event waited until its pull ends (10 s), this many in sequence would exceed the time of a test. */
const ONE_BY_ONE = 10;

const numbersAt = (path: string) => numbersIn(server, path);

/** Numbers by their first arrival. A busy machine may lose a lease, and what was under way then arrives again. */
function firstAt(path: string): number[] {
  const keyed = server.requests
    .filter((request) => request.path === path)
    .map(
      ({ headers, json }) =>
        [headers['idempotency-key'], (json as { properties: { n: number } }).properties.n] as const,
    );
  return keyed.filter(([key], at) => keyed.findIndex(([earlier]) => earlier === key) === at).map(([, n]) => n);
}

/** Delivers one more event and returns what arrived. */
async function deliverOne(): Promise<JsonObject> {
  const before = server.requests.length;
  await scene.accept([numbered(1)]);
  return (await server.received(before + 1)).at(-1)?.json as JsonObject;
}

describe('an accepted event', () => {
  it('reaches a connected webhook at once, with an idempotency key, and leaves nothing behind', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await scene.accept([numbered(0)]);
    for (let n = 1; n <= ONE_BY_ONE; n += 1) {
      await server.received(n);
      if (n < ONE_BY_ONE) await scene.accept([numbered(n)]);
    }
    const event = numbered(ONE_BY_ONE);
    const batch = await scene.accept([event]);
    const request = (await server.received(ONE_BY_ONE + 1)).at(-1);
    expect(request).toMatchObject({ method: 'POST', path: '/hook', json: event });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': `${batch.batchId}.0.0.0`,
    });
    await scene.drained();
    expect(await scene.letters()).toEqual([]);
  });

  it('reaches every connected destination, and one that was connected a moment ago', async () => {
    await scene.startDeliverer();
    await scene.webhook(`${server.url}/a`);
    await scene.webhook(`${server.url}/b`);
    await scene.accept([numbered(1)]);
    await server.received(2);
    expect(server.requests.map(({ path }) => path).sort()).toEqual(['/a', '/b']);
  });

  it('passes through the code that is live, also when it was published a moment ago', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    scene.standIns.publish(scene.workspaceId, id, (event, metadata) => ({
      status: 'ok',
      outputs: [{ ...event, seen: metadata }],
    }));
    await until('the code to be live', async () => (await deliverOne())['seen']);
    expect(server.requests.at(-1)?.json).toMatchObject({
      seen: { sourceId: scene.sourceId, destinationId: id, destinationType: 'WEBHOOK', eventName: 'Order Completed' },
    });
  });
});

describe('user code', () => {
  it('may drop, fan out and fail single events; a failure is a dead letter and the others go on', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (event) => {
      const { n } = event['properties'] as { n: number };
      if (n === 1) return { status: 'dropped' };
      if (n === 2) return { status: 'error', error: { message: 'Error: boom' } };
      return { status: 'ok', outputs: n === 3 ? [event, event] : [event] };
    });
    await scene.startDeliverer();
    await scene.accept([0, 1, 2, 3, 4].map((n) => numbered(n)));
    await scene.drained();
    expect(firstAt('/hook')).toEqual([0, 3, 3, 4]);
    expect(await scene.letters()).toMatchObject([{ stage: 'user_transform', reason: 'Error: boom', attempts: 1 }]);
  });

  it('may call fetch as soon as its workspace allows it', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (event) => ({ status: 'ok', outputs: [event] }));
    await scene.startDeliverer();
    const mayFetch = async () => {
      await deliverOne();
      return scene.standIns.callsTo(RunCode).at(-1)?.['allowFetch'];
    };
    expect(await mayFetch()).toBe(false);
    await putInventory(nats.connection, 'workspace', { id: scene.workspaceId, allowFetch: true });
    await until('the deliverer to know', mayFetch);
  });

  it('that is switched off holds its events back, in their order; nothing goes out untransformed or is lost', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (event) => ({ status: 'ok', outputs: [{ ...event, seen: true }] }));
    scene.standIns.codeIsOff = true;
    await scene.startDeliverer();
    await scene.accept([numbered(1), numbered(2)]);
    await until('it to be tried again', () => scene.standIns.callsTo(RunCode).length > 1);
    await scene.accept([numbered(3)]);
    expect(server.requests).toEqual([]);
    scene.standIns.codeIsOff = false;
    await until('all three', () => firstAt('/hook').length === 3);
    expect(firstAt('/hook')).toEqual([1, 2, 3]);
    expect(new Set(server.requests.map(({ json }) => (json as JsonObject)['seen']))).toEqual(new Set([true]));
    expect(await scene.letters()).toEqual([]);
  });
});

describe('large events', () => {
  it('near the limits of an event and of a batch pass through code', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, (event) => ({ status: 'ok', outputs: [event] }));
    await scene.startDeliverer();
    const sized = (n: number, bytes: number) => trackEvent({ userId: 'u1', properties: { n, pad: 'x'.repeat(bytes) } });
    await scene.accept([sized(0, EVENT_BYTES_MAX - 1_000)]);
    await scene.accept(Array.from({ length: 100 }, (_, index) => sized(index + 1, 8_500)));
    await until('all of them', () => firstAt('/hook').length === 101);
    expect(firstAt('/hook')).toEqual(Array.from({ length: 101 }, (_, n) => n));
    await scene.drained();
  });
});

describe('a destination that fails', () => {
  it.each([
    ['500', { status: 500 }],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '1' } }],
    ['a broken connection', { reset: 'before' as const }],
  ])('is tried again after %s, with the same key', async (_, reply) => {
    await scene.webhook(`${server.url}/hook`);
    server.script(reply);
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    const [first, second] = await server.received(2);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    await scene.drained();
    expect(await scene.letters()).toEqual([]);
  });

  it('is left alone for as long as it asks, while another is tried again and again', async () => {
    await scene.webhook(`${server.url}/patient`);
    await scene.webhook(`${server.url}/eager`);
    let failures = 4; // 2 s of backoff on average, and up to 7 s
    server.answer(({ path }) => {
      if (path === '/patient') return { status: 429, headers: { 'retry-after': '3600' } };
      return failures-- > 0 ? { status: 500 } : {};
    });
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    await until('the last try', () => numbersAt('/eager').length === 5);
    expect(numbersAt('/patient')).toEqual([1]);
  });

  it('is left alone as a whole when it asks for quiet', async () => {
    await scene.webhook(`${server.url}/limited`);
    await scene.webhook(`${server.url}/fine`);
    server.answer(({ path }) => (path === '/limited' ? { status: 429, headers: { 'retry-after': '3600' } } : {}));
    await scene.startDeliverer();
    for (let n = 0; n < 60; n += 1) await scene.accept([numbered(n, `user ${n}`)]);
    await until('the other one', () => numbersAt('/fine').length === 60);
    // at most the number under way before the first answer
    expect(numbersAt('/limited').length).toBeLessThanOrEqual(16);
  });

  it('gets no second try for what cannot heal: dead letters at once', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 422, body: { problem: 'no such plan' } });
    await scene.startDeliverer();
    const event = numbered(1);
    await scene.accept([event]);
    await scene.drained();
    expect(server.requests).toHaveLength(1);
    expect(await scene.letters()).toEqual([
      { stage: 'delivery', reason: '{"problem":"no such plan"}', status: 422, attempts: 1, event },
    ]);
  });

  it('tells that the answer of a destination could not be read', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 422, body: 'no such plan', headers: { 'content-type': 'application/octet-stream' } });
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    await scene.drained();
    expect(await scene.letters()).toMatchObject([
      { reason: 'The destination answered 422, and the content type of its answer is not JSON, XML or text' },
    ]);
  });

  it('loses its events to dead letters when the time for retries is over', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer({ DELIVERY_RETRY_MAX_MS: '4000' });
    await deliverOne(); // the start of a deliverer on a busy machine must not take up the time for retries
    server.clear();
    server.answer({ status: 503 });
    await scene.accept([numbered(1)]);
    const [letter] = await until('a dead letter', async () => {
      const letters = await scene.letters();
      return letters.length > 0 && letters;
    });
    expect(letter).toMatchObject({ stage: 'delivery', status: 503 });
    expect(letter?.attempts).toBe(server.requests.length);
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('holds up neither another destination nor another user', async () => {
    await scene.webhook(`${server.url}/hangs`);
    await scene.webhook(`${server.url}/fine`);
    await scene.webhook(`${server.url}/picky`);
    server.answer(({ path, json }) => {
      if (path === '/hangs') return { hang: true };
      return path === '/picky' && (json as JsonObject)['userId'] === 'bad' ? { status: 500 } : {};
    });
    await scene.startDeliverer();
    await scene.accept([numbered(0, 'bad')]);
    await until('the hanging request', () => numbersAt('/hangs').includes(0));
    let sent = 1;
    // Whoever waited for the hanging requests would wait until they time out.
    await within(DELIVERY_TIMEOUT_MS, async () => {
      for (const end = sent + 40; sent < end; sent += 1) await scene.accept([numbered(sent, `user ${sent}`)]);
      const arrivedAt = (path: string) => new Set(numbersAt(path)).size;
      await until('the others', () => arrivedAt('/fine') === sent && arrivedAt('/picky') === sent);
    });
  });
});

describe('a destination that is disabled or gone', () => {
  it('gets nothing any more, and what waited for it is dropped', async () => {
    const destination = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    await server.received(1);
    await scene.put({ ...destination, enabled: false });
    await scene.drained();
    await scene.webhook(`${server.url}/other`);
    server.clear();
    server.answer({});
    for (const n of [2, 3]) {
      await scene.accept([numbered(n)]);
      await scene.drained();
    }
    expect(server.requests.map(({ path }) => path)).toEqual(['/other', '/other']);
    expect(await scene.letters()).toEqual([]);
  });

  it('takes its queue with it', async () => {
    const destination = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    await server.received(1);
    scene.standIns.deleted.add(destination.id);
    await deleteInventory(nats.connection, 'destination', destination.id);
    await scene.drained();
  });
});

describe('suppression', () => {
  it('is asked right before sending, by the ids that the event came with', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, ({ userId: _, ...event }) => ({ status: 'ok', outputs: [event] }));
    scene.standIns.suppressed.add('gone');
    await scene.startDeliverer();
    await scene.accept([numbered(1, 'gone'), numbered(2, 'here')]);
    await server.received(1);
    await scene.drained();
    expect(numbersAt('/hook')).toEqual([2]);
    expect(await scene.letters()).toEqual([]);
  });

  it('keeps events of users that are gone out of the dead letters', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    scene.standIns.publish(scene.workspaceId, id, () => ({ status: 'error', error: { message: 'Error: boom' } }));
    scene.standIns.suppressed.add('gone');
    await scene.startDeliverer();
    await scene.accept([numbered(1, 'gone'), numbered(2, 'here')]);
    await scene.drained();
    expect((await scene.letters()).map(({ event }) => event['userId'])).toEqual(['here']);
  });

  it('is asked again before a retry', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    await scene.accept([numbered(1, 'gone')]);
    await server.received(1);
    scene.standIns.suppressed.add('gone');
    await scene.drained(); // only the suppression can end it, because the destination never takes it
    expect(await scene.letters()).toEqual([]);
  });

  it('that cannot be checked holds the event back', async () => {
    await scene.webhook(`${server.url}/hook`);
    scene.standIns.broken.add(CheckSuppression.subject);
    await scene.startDeliverer();
    await scene.accept([numbered(1)]);
    await until('two attempts', () => scene.standIns.callsTo(CheckSuppression).length >= 2);
    expect(server.requests).toEqual([]);
    scene.standIns.broken.clear();
    await server.received(1);
  });
});

describe("a destination's share of the stream", () => {
  it('used up sends its events to dead letters, and no other destination suffers', async () => {
    const manager = await patientManager(nats.connection);
    await manager.streams.update(DELIVERIES, { max_msgs_per_subject: 2, discard_new_per_subject: true });
    await scene.webhook(`${server.url}/down`);
    await scene.webhook(`${server.url}/fine`);
    server.answer(({ path }) => (path === '/down' ? { status: 503 } : {}));
    await scene.startDeliverer();
    for (let n = 0; n < 5; n += 1) {
      await scene.accept([numbered(n)]);
      await until('the healthy one', () => numbersAt('/fine').includes(n));
      await scene.routed(); // each event waits in a message of its own
    }
    const letters = await until('dead letters', async () => {
      const found = await scene.letters();
      return found.length === 3 && found;
    });
    expect(letters.map(({ stage }) => stage)).toEqual(['queue', 'queue', 'queue']);
    await manager.streams.update(DELIVERIES, { max_msgs_per_subject: -1, discard_new_per_subject: false });
  });
});
