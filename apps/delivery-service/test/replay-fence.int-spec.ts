import { expect, it } from '@jest/globals';
import { type RecordingServer, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { ReplayRepository } from '../src/replays/replay.repository.js';
import { DeliveryListRepository } from '../src/requests/delivery-list.repository.js';
import { type DeliveryScene, eachTestOn, numbered, numbersAt } from './delivery-scene.js';

const nats = useNats();
const database = useDatabase('delivery', migrations);
let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
});

const letters = async () =>
  (await new DeliveryListRepository(database.dataSource).list(scene.workspaceId, { status: 'dead' })).deliveries;

it('a replay sends nothing of users who were deleted since the intake, and keeps its time for the next replay', async () => {
  const { id } = await scene.webhook(`${server.url}/hook`);
  server.answer({ status: 400 });
  await scene.startDeliverer();
  await scene.accept([numbered(1, 'gone'), numbered(2, 'here')]);
  const before = await until('two letters', async () => {
    const found = await letters();
    return found.length === 2 && found;
  });
  server.clear();
  server.answer({ status: 410 });
  scene.standIns.deletedUntil.set('gone', new Date().toISOString());
  await new ReplayRepository(database.dataSource).request(scene.workspaceId, { destinationId: id });
  const [again] = await until('the letter that failed again', async () => {
    const found = await letters();
    return found.length === 1 && found[0]?.responseStatus === 410 && found;
  });
  await scene.drained();
  expect(numbersAt(server, '/hook')).toEqual([2]);
  expect(before.map(({ receivedAt }) => receivedAt)).toContain(again?.receivedAt);
});
