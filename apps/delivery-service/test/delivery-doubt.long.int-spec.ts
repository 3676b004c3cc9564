import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError, deliverySubject, partitionOf } from '@weir/contracts';
import { DELIVERIES, Lease, partitionConsumer, STREAM_OF, StreamPublisher } from '@weir/messaging';
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
import { DeadLetterWriter } from '../src/dead-letters/dead-letter-writer.js';
import { migrations } from '../src/migrations/index.js';
import { Outcomes } from '../src/outcomes/outcomes.js';
import { DeliveryQueues } from '../src/queues/delivery-queues.js';
import { MessageMemory } from '../src/queues/fair-pool.js';
import { QueueWriter } from '../src/queues/queue-writer.js';
import { DeliveryProgress } from '../src/sending/delivery-progress.js';
import { DestinationWorker } from '../src/sending/destination-worker.js';
import { DestinationWorkers } from '../src/sending/destination-workers.js';
import { type DeliveryScene, eachTestOn, type Letter, numbered, numbersAt as numbersIn } from './delivery-scene.js';

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

describe('a queue that holds earlier events', () => {
  /** Writes to the queue of a destination, as an owner before did. */
  async function leave(destinationId: string, n: number): Promise<void> {
    const { workspaceId, sourceId } = scene;
    const { batchId, receivedAt, events } = eventBatch({ sourceId, events: [numbered(n)] });
    const text = { workspaceId, destinationId, parts: [{ batchId, sourceId, receivedAt, events }] };
    const subject = deliverySubject(partitionOf(workspaceId, sourceId), destinationId);
    await patientJetStream(nats.connection).publish(subject, JSON.stringify(text));
  }

  it('is read first by a worker that begins again, although nobody has looked at the queue since', async () => {
    const stop = jest.spyOn(DestinationWorker.prototype, 'stop');
    const { id } = await scene.webhook(`${server.url}/hook`);
    const deliverer = await scene.startDeliverer();
    await scene.accept([numbered(0)]);
    await until('the first one', () => numbersAt('/hook').length === 1);
    jest.spyOn(DeliveryQueues.prototype, 'waiting').mockResolvedValue({ queues: [], lastSequence: 0 });
    deliverer.get(DestinationWorkers, { strict: false }).idleLooksMax = 0;
    await until('its worker to end', () => stop.mock.results.length > 0);
    await stop.mock.results[0]?.value;
    await leave(id, 1);
    await scene.accept([numbered(2)]);
    await until('both others', () => numbersAt('/hook').length === 3);
    expect(numbersAt('/hook')).toEqual(range(3));
  });

  it('holds later ones back while it is read', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await scene.accept([numbered(0)]);
    await until('the first one', () => numbersAt('/hook').length === 1);
    const next = DeliveryQueues.prototype.next;
    const held = Promise.withResolvers<void>();
    const reads = jest.spyOn(DeliveryQueues.prototype, 'next').mockImplementation(async function (
      this: DeliveryQueues,
      ...args
    ) {
      await held.promise;
      return next.apply(this, args);
    });
    await leave(id, 1);
    await until('it to be read', () => reads.mock.calls.length > 0);
    await scene.accept([numbered(2)]);
    await until('the log to be free', isLogFree);
    held.resolve();
    await until('both others', () => numbersAt('/hook').length === 3);
    expect(numbersAt('/hook')).toEqual(range(3));
  });
});

describe('a partition that comes back to its owner under a new lease', () => {
  it('leaves nothing of the former one in memory', async () => {
    const own = jest.spyOn(DestinationWorkers.prototype, 'own');
    const { id } = await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    const deliverer = await scene.startDeliverer();
    const workers = deliverer.get(DestinationWorkers, { strict: false });
    const memory = deliverer.get(MessageMemory, { strict: false });
    workers.parkAfterMs = 600_000;
    await scene.accept([numbered(0)]);
    await until('it to be in memory', () => memory.held > 0);
    const slot = partitionOf(scene.workspaceId, scene.sourceId);
    const [former] = own.mock.calls.map(([lease]) => lease).filter((lease) => lease.slot === slot);
    if (!former) throw new Error('the deliverer owns all partitions');
    former.lose();
    const again = new Lease({ slot, epoch: former.epoch + 1 }, Number.POSITIVE_INFINITY, async () => undefined);
    workers.own(again);
    await workers.feed(id, again);
    await workers.release(former);
    expect(memory.held).toBe(0);
  });
});

describe('a destination whose share of the queue is full', () => {
  const numberOf = ({ event }: Letter) => (event['properties'] as { n: number }).n;
  beforeEach(() => void jest.spyOn(QueueWriter.prototype, 'store').mockResolvedValue(undefined));

  it('makes no dead letter of an event that is being sent, and one of what waits behind it', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ delayMs: 2_000 });
    await scene.startDeliverer();
    await scene.accept([numbered(0), numbered(1)]);
    await until('the log to be free', isLogFree);
    const letters = await scene.letters();
    expect(letters.map((letter) => [numberOf(letter), letter.stage])).toEqual([[1, 'queue']]);
    expect(numbersAt('/hook')).toEqual([0]);
  });

  it('makes one of it if that attempt fails', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ delayMs: 2_000, status: 503 });
    await scene.startDeliverer();
    await scene.accept([numbered(0)]);
    await until('the log to be free', isLogFree);
    const letters = await scene.letters();
    expect(letters.map((letter) => [numberOf(letter), letter.stage, letter.attempts])).toEqual([[0, 'queue', 1]]);
    expect(numbersAt('/hook')).toEqual([0]);
  });

  it('counts each of its dead letters once, although the first try writes only some of them', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer({ status: 503 });
    const add = DeadLetterWriter.prototype.add;
    let isFirst = true;
    jest.spyOn(DeadLetterWriter.prototype, 'add').mockImplementation(async function (this: DeadLetterWriter, letter) {
      const written = await add.call(this, letter);
      if (isFirst) {
        [isFirst] = [false];
        throw new Error('no answer');
      }
      return written;
    });
    const deliverer = await scene.startDeliverer();
    const count = jest.spyOn(deliverer.get(Outcomes, { strict: false }), 'count');
    deliverer.get(DestinationWorkers, { strict: false }).parkAfterMs = 0;
    await scene.accept(range(4).map((n) => numbered(n)));
    await until('the log to be free', isLogFree);
    const dead = count.mock.calls.filter(([, outcome]) => outcome === 'dead').map(([, , events = 1]) => events);
    const letters = await scene.letters();
    expect(letters.map(numberOf).sort()).toEqual(range(4));
    expect(dead.reduce((sum, events) => sum + events, 0)).toBe(4);
  });
});

describe('progress', () => {
  it('that a former owner saves late takes nothing back', async () => {
    const progress = (await scene.startDeliverer()).get(DeliveryProgress, { strict: false });
    const destinationId = newKsuid();
    await progress.save([{ destinationId, batchId: 'a', done: [0, 1, 2] }]);
    await progress.save([{ destinationId, batchId: 'a', done: [1, 3] }]);
    const done = (await progress.load(destinationId)).get('a') ?? [];
    expect([...done].sort()).toEqual([0, 1, 2, 3]);
  });

  it('of any number of feeds is stored with two statements, and removed again', async () => {
    const progress = new DeliveryProgress(database.dataSource);
    const keys = range(40).map((n) => ({ destinationId: newKsuid(), batchId: `b${n}` }));
    const stored = jest.fn();
    const earlier = keys.map((key) => ({ done: [{ ...key, done: [0] }], forgotten: [], stored }));
    await progress.store(earlier);
    const statements = jest.spyOn(database.dataSource, 'run');
    const [gone = [], kept = []] = [keys.slice(0, 20), keys.slice(20)];
    await progress.store([
      ...gone.map((key) => ({ done: [], forgotten: [key], stored })),
      ...kept.map((key) => ({ done: [{ ...key, done: [0, 1] }], forgotten: [], stored })),
    ]);
    expect(statements).toHaveBeenCalledTimes(2);
    statements.mockRestore();
    expect(stored).toHaveBeenCalledTimes(80);
    const left = await Promise.all(keys.map(({ destinationId }) => progress.load(destinationId)));
    expect(left.map((rows) => [...rows.values()].flat().length)).toEqual([...gone.map(() => 0), ...kept.map(() => 2)]);
  });
});
