import { beforeEach, describe, expect, it } from '@jest/globals';
import { FindDeletedDestinations } from '@weir/contracts';
import { Health } from '@weir/service-kit';
import {
  deleteInventory,
  loseInventory,
  markInventory,
  type RecordingServer,
  trackEvent,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DestinationWorkers } from '../src/sending/destination-workers.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
  server.answer({ status: 503 });
});

const reasons = async () => (await scene.deliverers[0]?.get(Health).report())?.reasons ?? [];
const notWritten = 'inventory: the gateway has not written all of it into the bucket yet';

const waiting = (id: string): Promise<number> => scene.queued(id);

/** Creates a destination that is down, with events in its queue. */
async function withQueue() {
  const destination = await scene.webhook(`${server.url}/hook`);
  await scene.startDeliverer();
  for (let n = 0; n < 3; n += 1) {
    await scene.accept([trackEvent({ userId: 'u', properties: { n } })]);
    await scene.routed();
  }
  expect(await waiting(destination.id)).toBe(3);
  return destination;
}

async function arrived(): Promise<void> {
  server.clear();
  server.answer({});
  await server.received(3);
  const numbers = server.requests.map(({ json }) => (json as { properties: { n: number } }).properties.n);
  expect(numbers).toEqual([0, 1, 2]);
}

describe('the queue of a destination that the bucket does not know', () => {
  it('survives a bucket that was lost, and is delivered when that is back', async () => {
    const destination = await withQueue();
    await scene.stopDeliverers();
    await loseInventory(nats.connection);
    const deliverer = await scene.startDeliverer();
    await until('the leases', async () => {
      const sql = `SELECT FROM leases WHERE role = 'deliverer' AND owner IS NOT NULL`;
      return (await database.dataSource.query<object[]>(sql)).length === 16;
    });
    for (let looks = 0; looks < 3; looks += 1) await deliverer.get(DestinationWorkers).sweep();
    expect(scene.standIns.callsTo(FindDeletedDestinations)).toContainEqual({ destinationIds: [destination.id] });
    expect(await waiting(destination.id)).toBe(3);
    await scene.connect(destination);
    await markInventory(nats.connection);
    await arrived();
  });

  it('survives a bucket that lost the destination alone', async () => {
    const destination = await withQueue();
    await deleteInventory(nats.connection, 'destination', destination.id);
    await until('the question', () => scene.standIns.callsTo(FindDeletedDestinations).length > 0);
    expect(await waiting(destination.id)).toBe(3);
    await scene.connect(destination);
    await arrived();
  });

  it('survives as long as nobody can tell, and goes once the database has it no more', async () => {
    const destination = await withQueue();
    scene.standIns.broken.add(FindDeletedDestinations.subject);
    scene.standIns.deleted.add(destination.id);
    await deleteInventory(nats.connection, 'destination', destination.id);
    await until('the question', () => scene.standIns.callsTo(FindDeletedDestinations).length > 0);
    expect(await waiting(destination.id)).toBe(3);
    scene.standIns.broken.clear();
    const [deliverer] = scene.deliverers;
    await until('the queue to go', async () => {
      await deliverer?.get(DestinationWorkers).sweep();
      return (await waiting(destination.id)) === 0;
    });
  });
});

describe('an event that comes while the bucket is not complete', () => {
  beforeEach(() => server.answer({}));
  const hook = () => scene.webhook(`${server.url}/hook`);
  const delivered = async (count: number) => {
    await server.received(count);
    await scene.drained();
    expect(server.requests).toHaveLength(count);
  };

  it.each([0, 1])(
    'waits for all its destinations, when the deliverer starts while the bucket has %i of them',
    async (had) => {
      await loseInventory(nats.connection);
      for (let n = 0; n < had; n += 1) await hook();
      await scene.startDeliverer();
      await scene.accept([trackEvent({ userId: 'u' })]);
      await scene.pulled();
      expect(await reasons()).toContain(notWritten);
      await hook();
      await markInventory(nats.connection);
      await delivered(had + 1);
      expect(await reasons()).not.toContain(notWritten);
    },
  );

  it('waits for a destination of the next bucket, when the one that is followed is lost', async () => {
    for (let n = 0; n < 5; n += 1) await hook();
    await scene.startDeliverer();
    await loseInventory(nats.connection);
    // an intake is faster and has seen the first entries of the next bucket
    await hook();
    await scene.accept([trackEvent({ userId: 'u' })]);
    await scene.pulled();
    await until('the loss to be told', async () => (await reasons()).includes(notWritten));
    expect(server.requests).toEqual([]);
    await markInventory(nats.connection);
    await delivered(1);
  });
});
