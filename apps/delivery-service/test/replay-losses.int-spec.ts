import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { DestinationRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { newKsuid } from '@weir/service-kit';
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
  await arrived();
};
const arrived = async () => {
  await until('the letter to arrive', () => server.requests.length === 1);
  await scene.drained();
  expect(await letters()).toEqual([]);
  expect(numbersAt(server, '/hook')).toEqual([1]);
};
/** Resolves when the deliverer knows. */
const enable = async (enabled: boolean) => {
  await scene.put({ ...destination, enabled });
  const inventory = deliverer.get(InventoryMirror, { strict: false });
  await until('the change to be known', () => inventory.destination(destination.id)?.enabled === enabled);
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

  it('while its destination is disabled', async () => {
    await enable(false);
    await replay();
    await delay(2_500); // two rounds
    expect(await letters()).toMatchObject([{ replayRequestedAt: expect.any(String) }]);
    server.clear();
    server.answer({});
    await enable(true);
    await arrived();
  });

  it('if its destination is disabled while it waits for a retry', async () => {
    server.answer({ status: 503 });
    await replay();
    await until('the first attempt', () => server.requests.length === 2);
    await enable(false);
    await until('the letter to be back', async () => (await letters())[0]?.reason.includes('disabled'));
    await enable(true);
    await arrivesOnce();
  });

  it('if its destination is disabled before its code runs, and it stays the same output', async () => {
    await enable(false);
    const { workspaceId, id: destinationId } = destination;
    const part = { batchId: newKsuid(), sourceId: scene.sourceId, receivedAt: new Date().toISOString() };
    const replayed = { ...part, events: [numbered(2)], replay: { eventKey: 'earlier.0', output: 1 } };
    await deliverer.get(ReplayQueue, { strict: false }).store({ workspaceId, destinationId }, [replayed]);
    await scene.drained();
    const sql = 'SELECT event_key, output FROM dead_letters WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1';
    expect(await database.dataSource.query(sql, [workspaceId])).toEqual([{ event_key: 'earlier.0', output: 1 }]);
  });
});
