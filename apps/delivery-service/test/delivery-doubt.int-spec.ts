import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AppError, partitionOf } from '@weir/contracts';
import { DELIVERIES, partitionConsumer, STREAM_OF, StreamPublisher } from '@weir/messaging';
import { patientManager, type RecordingServer, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DeliveryQueues } from '../src/queues/delivery-queues.js';
import { DestinationWorkers } from '../src/sending/destination-workers.js';
import { type DeliveryScene, eachTestOn, numbered, numbersAt as numbersIn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => ({ scene, server } = stage));
afterEach(() => void jest.restoreAllMocks());
afterEach(async () => void (await (await patientManager(nats.connection)).streams.purge(DELIVERIES)));

/** Longer than two looks at the queues. */
const LOOKS_MS = 2_500;
const numbersAt = (path: string) => numbersIn(server, path);
const range = (to: number) => Array.from({ length: to }, (_, n) => n);
/** Whether no destination needs an accepted message from the log any more. */
async function isLogFree(): Promise<boolean> {
  const { consumers } = await patientManager(nats.connection);
  const consumer = partitionConsumer('deliverer', partitionOf(scene.workspaceId, scene.sourceId));
  const { num_pending, num_ack_pending } = await consumers.info(STREAM_OF.deliverer, consumer);
  return num_pending + num_ack_pending === 0;
}

/** From now on the broker stores what is written to queues, but its answers get lost. Returns what ends that. */
function loseAnswers(): () => void {
  const publish = StreamPublisher.prototype.publishText;
  const lossy = jest.spyOn(StreamPublisher.prototype, 'publishText').mockImplementation(async function (
    this: StreamPublisher,
    ...args: Parameters<typeof publish>
  ) {
    await publish.apply(this, args);
    throw new AppError('unavailable', 'no answer');
  });
  return () => lossy.mockRestore();
}

describe('a write to a queue whose answer gets lost', () => {
  it('loses no events that memory holds: their message stays, and the next owner finds it', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    const end = loseAnswers();
    for (const n of range(3)) await scene.accept([numbered(n)]);
    await until('a first write', async () => (await scene.queued(id)) > 0);
    await delay(LOOKS_MS);
    end();
    await until('the log to be free', isLogFree);
    expect(await scene.queued(id)).toBeGreaterThan(0);
    await scene.stopDeliverers();
    server.clear();
    server.answer({});
    await scene.startDeliverer();
    await until('everything', () => numbersAt('/hook').length === 3);
    await scene.drained();
    expect(numbersAt('/hook')).toEqual(range(3));
  });

  it('loses none and repeats none that wait in the log', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    const deliverer = await scene.startDeliverer();
    for (const n of range(8)) await scene.accept([numbered(n, `user ${n}`)]);
    const workers = deliverer.get(DestinationWorkers, { strict: false });
    await until('the destination to count as down', () => workers.down.length === 1);
    const end = loseAnswers();
    for (let n = 8; n < 12; n += 1) await scene.accept([numbered(n)]);
    await delay(LOOKS_MS);
    end();
    await until('the log to be free', isLogFree);
    await scene.stopDeliverers();
    server.clear();
    server.answer({});
    await scene.startDeliverer();
    await until('everything', () => numbersAt('/hook').includes(11));
    await scene.drained();
    expect(numbersAt('/hook').filter((n) => n >= 8)).toEqual([8, 9, 10, 11]);
    expect(numbersAt('/hook').sort((a, b) => a - b)).toEqual(range(12));
  });
});

describe('a message of a queue that cannot be removed yet', () => {
  it('is not delivered again by the next owner: its progress stays as long as the message', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    let isDown = true;
    server.answer(({ json }) => ((json as { userId: string }).userId === 'b' && isDown ? { status: 503 } : {}));
    const removal = jest.spyOn(DeliveryQueues.prototype, 'remove').mockRejectedValue(new Error('no answer'));
    await scene.startDeliverer();
    await scene.accept([numbered(0, 'a'), numbered(1, 'b')]);
    await until('the queue to have them', async () => (await scene.queued(id)) > 0);
    const sql = 'SELECT FROM delivery_progress WHERE destination_id = $1';
    await until('progress', async () => (await database.dataSource.query<unknown[]>(sql, [id])).length > 0);
    isDown = false;
    server.clear();
    await until('the other one', () => numbersAt('/hook').includes(1));
    await until('its end', () => removal.mock.calls.length > 0);
    await scene.stopDeliverers();
    removal.mockRestore();
    server.clear();
    await scene.startDeliverer();
    await scene.drained();
    expect(numbersAt('/hook')).toEqual([]);
  });
});
