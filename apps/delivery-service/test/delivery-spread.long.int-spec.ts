import { describe, expect, it } from '@jest/globals';
import {
  deliverySubject,
  isJsonObject,
  type JsonObject,
  PARTITIONS,
  partitionOf,
  spreadPartitionOf,
} from '@weir/contracts';
import { DELIVERIES } from '@weir/messaging';
import {
  patientManager,
  type RecordingServer,
  type Reply,
  recordingServer,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import fc from 'fast-check';
import { migrations } from '../src/migrations/index.js';
import { ReplayRepository } from '../src/replays/replay.repository.js';
import { DeliveryScene, eachTestOn, numbered } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();

let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => ({ scene, server } = stage));

const USERS = Array.from({ length: 24 }, (_, n) => `user ${n}`);
const place = (partitions: number, user: string) =>
  spreadPartitionOf({ workspaceId: scene.workspaceId, id: scene.sourceId, partitions }, user);
/** A user whose events do not go to the partition of the source itself. */
const userElsewhere = () =>
  USERS.find((user) => place(PARTITIONS, user) !== partitionOf(scene.workspaceId, scene.sourceId)) ?? '';

const aRequest = fc.array(fc.nat({ max: USERS.length - 1 }), { minLength: 1, maxLength: 30 });
const aHistory = fc.record({
  partitions: fc.constantFrom(4, PARTITIONS),
  before: fc.array(aRequest, { minLength: 4, maxLength: 10 }),
  /** Requests while one of two deliverers leaves and another joins. */
  meanwhile: fc.array(aRequest, { minLength: 4, maxLength: 10 }),
});

describe('events of a source that is spread', () => {
  it('reach the destination once and in the order of their user, from two deliverers and while one leaves', async () => {
    const property = fc.asyncProperty(aHistory, async ({ partitions, before, meanwhile }) => {
      const own = new DeliveryScene(database, nats);
      const hook = await recordingServer();
      const sent = new Map<string, number[]>();
      const send = async (request: number[]) => {
        const events = request.map((index, at) => {
          const user = USERS[index] ?? '';
          const numbers = sent.get(user) ?? [];
          sent.set(user, [...numbers, numbers.length]);
          return { ...numbered(numbers.length, user), messageId: `${user}/${numbers.length}/${at}` };
        });
        await own.acceptSpread(events, partitions);
      };
      try {
        hook.answer(() => ({ delayMs: 2 }));
        await own.webhook(`${hook.url}/hook`);
        const leaving = await own.startDeliverer();
        await own.startDeliverer();
        await own.shared();
        for (const request of before) await send(request);
        const left = leaving.close();
        for (const request of meanwhile) await send(request);
        await left;
        await own.startDeliverer();
        await own.drained();
        expect(arrived(hook)).toEqual(Object.fromEntries(sent));
        expect(await own.letters()).toEqual([]);
      } finally {
        await own.close();
        await hook.close();
      }
    });
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
  });

  it('are shared by two deliverers, though they are of one source', async () => {
    await scene.webhook(`${server.url}/hook`);
    let open = 0;
    let most = 0;
    server.answer(() => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
      }, 200);
      return { delayMs: 200 };
    });
    const limit = { DELIVERY_CONCURRENCY_MAX: '3' };
    await Promise.all([scene.startDeliverer(limit), scene.startDeliverer(limit)]);
    await scene.shared();
    const users = Array.from({ length: 64 }, (_, n) => numbered(n, `user ${n}`));
    await scene.acceptSpread(users, PARTITIONS);
    await until('everything', () => server.requests.length >= users.length);
    expect(most).toBeGreaterThan(3);
  });

  it('wait for a retry under the partition of their batch', async () => {
    server.answer({ status: 503 });
    const user = userElsewhere();
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await scene.acceptSpread([numbered(0, user)], PARTITIONS);
    const listed = () =>
      database.dataSource.query<JsonObject[]>('SELECT partition FROM retrying_deliveries WHERE workspace_id = $1', [
        scene.workspaceId,
      ]);
    await until('a retry', async () => (await listed()).length === 1);
    expect(await listed()).toEqual([{ partition: place(PARTITIONS, user) }]);
  });

  it('are read again from the queue of their partition, with what they are part of', async () => {
    let reply: Reply = { status: 503 };
    server.answer(() => reply);
    const user = userElsewhere();
    const { id } = await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    for (let n = 0; n < 5; n += 1) await scene.acceptSpread([numbered(n, user)], PARTITIONS);
    await scene.pulled();
    await scene.stopDeliverers(); // which writes what is not done to the queue
    const subject = deliverySubject(place(PARTITIONS, user), id);
    expect(await scene.queued(id)).toBeGreaterThan(0);
    expect(await subjectsOf(id)).toEqual([subject]);
    reply = {};
    server.clear();
    await scene.startDeliverer();
    await scene.drained();
    expect(arrived(server)).toEqual({ [user]: [0, 1, 2, 3, 4] });
  });

  it('go to the partition that their user has now when a dead letter is sent again', async () => {
    server.answer({ status: 400 });
    const user = userElsewhere();
    const { id } = await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await scene.accept([numbered(0, user)]); // before the source was spread
    await until('a dead letter', async () => (await scene.letters()).length === 1);
    server.clear();
    server.answer({});
    await scene.spread(PARTITIONS);
    await scene.acceptSpread([numbered(1, user)], PARTITIONS);
    await until('the deliverer to know that it is spread', () => server.requests.length === 1);
    const written: string[] = [];
    const onWrite = ({ subject }: { subject: string }) => void written.push(subject);
    nats.connection.subscribe(deliverySubject('*', id), { callback: (_, message) => onWrite(message) });
    await new ReplayRepository(database.dataSource).request(scene.workspaceId, { destinationId: id });
    await until('the letter', () => server.requests.length === 2);
    expect(written).toEqual([deliverySubject(place(PARTITIONS, user), id)]);
  });
});

/** The subjects of a destination in the stream of queues. */
async function subjectsOf(id: string): Promise<string[]> {
  const { streams } = await patientManager(nats.connection);
  const { state } = await streams.info(DELIVERIES, { subjects_filter: deliverySubject('*', id) });
  return Object.keys(state.subjects ?? {});
}

/** Numbers that arrived, by user, in order. */
function arrived({ requests }: RecordingServer): Record<string, number[]> {
  const numbers: Record<string, number[]> = {};
  for (const { json } of requests) {
    if (!isJsonObject(json) || !isJsonObject(json['properties'])) continue;
    const user = String(json['userId']);
    numbers[user] = [...(numbers[user] ?? []), Number(json['properties']['n'])];
  }
  return numbers;
}
