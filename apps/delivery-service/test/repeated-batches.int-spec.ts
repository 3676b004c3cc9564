import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  acceptedSubject,
  type DeliveryPart,
  deliverySubject,
  type EventBatch,
  type JsonObject,
  partitionOf,
} from '@weir/contracts';
import { DELIVERIES } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  eventBatch,
  patientJetStream,
  patientManager,
  type RecordingServer,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DeliveryProgress } from '../src/sending/delivery-progress.js';
import { type DeliveryScene, eachTestOn, numbered, numbersAt } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => ({ scene, server } = stage));
/** The destination takes no event of the user `kim`. */
beforeEach(() => server.answer(({ json }) => ((json as { userId: string }).userId === 'kim' ? { status: 503 } : {})));
afterEach(() => void jest.restoreAllMocks());
afterEach(async () => void (await (await patientManager(nats.connection)).streams.purge(DELIVERIES)));

const batchOf = (events: JsonObject[]): EventBatch =>
  eventBatch({ workspaceId: scene.workspaceId, sourceId: scene.sourceId, events });
const partOf = ({ batchId, sourceId, receivedAt, events }: EventBatch) => ({ batchId, sourceId, receivedAt, events });
const queueOf = (id: string) => deliverySubject(partitionOf(scene.workspaceId, scene.sourceId), id);
const publish = (subject: string, content: object) =>
  patientJetStream(nats.connection).publish(subject, JSON.stringify(content));
/** Writes a message to the queue of a destination. */
const leave = (destinationId: string, batches: EventBatch[]) =>
  publish(queueOf(destinationId), { workspaceId: scene.workspaceId, destinationId, parts: batches.map(partOf) });

/** The batches of the last message in the queue of a destination. */
async function lastQueued(id: string): Promise<string[]> {
  const { streams } = await patientManager(nats.connection);
  const message = await streams.getMessage(DELIVERIES, { last_by_subj: queueOf(id) });
  return (message?.json<{ parts: DeliveryPart[] }>().parts ?? []).map(({ batchId }) => batchId);
}

/** Resolves when it is saved which events of the batch are done, so that no owner sends them again. */
const saved = (destinationId: string, { batchId }: EventBatch) =>
  until('its progress to be saved', async () =>
    (await new DeliveryProgress(database.dataSource).load(destinationId)).has(batchId),
  );

describe('a batch that the log has twice', () => {
  it('goes to the queue once', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await scene.accept([numbered(0, 'kim')]);
    await until('the queue to have it', async () => (await scene.queued(id)) > 0);
    await scene.stopDeliverers();
    const [twice, once] = [batchOf([numbered(1, 'ada')]), batchOf([numbered(2, 'kim')])];
    for (const batch of [twice, twice, once]) await publish(acceptedSubject(batch), batch);
    await scene.startDeliverer();
    await scene.routed();
    expect(await lastQueued(id)).toEqual([twice.batchId, once.batchId]);
    await saved(id, twice);
    expect(numbersAt(server, '/hook').filter((n) => n === 1)).toEqual([1]);
  });
});

describe('a message of a queue that has a batch twice', () => {
  it('delivers it once, and remembers that it is done', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const [twice, once] = [batchOf([numbered(1, 'ada')]), batchOf([numbered(2, 'kim')])];
    await leave(id, [twice, twice, once]);
    await scene.startDeliverer();
    await saved(id, twice);
    await scene.stopDeliverers();
    server.answer({});
    await scene.startDeliverer();
    await scene.drained();
    expect(numbersAt(server, '/hook').filter((n) => n === 1)).toEqual([1]);
    expect(numbersAt(server, '/hook').at(-1)).toBe(2);
  });
});

describe('progress', () => {
  it('of a batch that two messages keep is saved together', async () => {
    const progress = new DeliveryProgress(database.dataSource);
    const key = { destinationId: newKsuid(), batchId: newKsuid() };
    await progress.save([
      { ...key, done: [4, 0] },
      { ...key, done: [2, 4] },
    ]);
    const done = (await progress.load(key.destinationId)).get(key.batchId) ?? [];
    expect([...done].sort()).toEqual([0, 2, 4]);
  });

  it('that cannot be saved keeps nobody from the queues', async () => {
    jest.spyOn(DeliveryProgress.prototype, 'store').mockRejectedValue(new Error('no room'));
    const { id } = await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await leave(id, [batchOf([numbered(3, 'ada')])]);
    await until('the event', () => numbersAt(server, '/hook').includes(3));
  });
});
