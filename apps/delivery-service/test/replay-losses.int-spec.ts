import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { DestinationRecord } from '@weir/contracts';
import { type RecordingServer, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { ReplayRepository } from '../src/replays/replay.repository.js';
import { ReplayQueue } from '../src/replays/replay-queue.js';
import { DeliveryListRepository } from '../src/requests/delivery-list.repository.js';
import { type DeliveryScene, eachTestOn, numbered, numbersAt } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;
let deliverer: INestApplicationContext;
let destination: DestinationRecord;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
});

const letters = async () =>
  (await new DeliveryListRepository(database.dataSource).list(scene.workspaceId, { status: 'dead' })).deliveries;
const replay = () =>
  new ReplayRepository(database.dataSource).request(scene.workspaceId, { destinationId: destination.id });
/** Resolves when one letter exists, without a mark, that the destination refused like this. */
const isLetterOf = (status: number) =>
  until(`a letter of status ${status}`, async () => {
    const [letter, ...more] = await letters();
    return more.length === 0 && letter?.responseStatus === status && letter.replayRequestedAt === undefined;
  });
const arrivesOnce = async () => {
  server.clear();
  server.answer({});
  expect(await replay()).toMatchObject({ deliveries: 1 });
  await until('the letter to arrive', () => server.requests.length === 1);
  await scene.drained();
  expect(await letters()).toEqual([]);
  expect(numbersAt(server, '/hook')).toEqual([1]);
};

beforeEach(async () => {
  destination = await scene.webhook(`${server.url}/hook`);
  server.answer({ status: 400 });
  deliverer = await scene.startDeliverer();
  await scene.accept([numbered(1)]);
  await isLetterOf(400);
});

describe('a replayed letter is not lost', () => {
  it('if its part is stored and refused, and the transaction of the replay fails', async () => {
    const queue = deliverer.get(ReplayQueue, { strict: false });
    const { store } = queue;
    jest.spyOn(queue, 'store').mockImplementationOnce(async (...parts) => {
      await store.apply(queue, parts);
      return false;
    });
    server.answer({ status: 410 });
    await replay();
    await isLetterOf(410);
    await arrivesOnce();
  });
});
