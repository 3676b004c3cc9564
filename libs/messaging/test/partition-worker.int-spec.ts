import { afterEach, describe, expect, it } from '@jest/globals';
import { partitionOf, rawSubject } from '@weir/contracts';
import { patientJetStream, patientManager, useNats } from '@weir/testing';
import { type PulledMessage, pullOnce } from '../src/bounded-pull.js';
import { BytePool } from '../src/byte-pool.js';
import { EVENTS_RAW, type HandleBatch, partitionConsumer, StreamPublisher } from '../src/index.js';
import { Lease, LeaseLostError } from '../src/lease.js';
import { CALL_RESERVE_BYTES, PartitionWorker } from '../src/partition-worker.js';
import { SOURCE, silent, until } from './fixtures.js';

const nats = useNats();
const running: PartitionWorker[] = [];
const durable = partitionConsumer('filter', partitionOf(SOURCE.workspaceId, SOURCE.sourceId));
const CALL_BYTES = 1_024;
/** Far more than an unblocked call needs. */
const A_WHILE_MS = 500;
const aWhile = () => new Promise((done) => setTimeout(done, A_WHILE_MS));

/** A lease without a table. The test decides how long it is held. */
const leaseFor = (heldMs: number, epoch = 1) =>
  new Lease({ slot: 0, epoch }, performance.now() + heldMs, async () => epoch + 1);
const HOUR_MS = 3_600_000;

function work(lease: Lease, handle: HandleBatch, calls = new BytePool(CALL_BYTES)): PartitionWorker {
  const pools = { pulled: new BytePool(0), calls, callBytesMax: CALL_BYTES };
  const source = { nats: nats.connection, stream: EVENTS_RAW, durable, handle, log: silent, ...pools };
  const worker = new PartitionWorker(patientJetStream(nats.connection), source, lease);
  running.push(worker);
  return worker;
}

const publish = (n: number, text = '', subject = rawSubject(SOURCE)) =>
  patientJetStream(nats.connection).publish(subject, JSON.stringify({ n, text }));
const LARGE = 'x'.repeat(CALL_RESERVE_BYTES);
const inHand = async () => {
  const { consumers } = await patientManager(nats.connection);
  return (await consumers.info(EVENTS_RAW, durable)).num_ack_pending;
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
  const { streams } = await patientManager(nats.connection);
  await streams.purge(EVENTS_RAW);
});

describe('between a pull and its hand-over', () => {
  it('the lease is asked for again: what waited for its turn is left to the next owner', async () => {
    const seen: string[] = [];
    const handled =
      (by: string): HandleBatch =>
      async (messages) => {
        for (const message of messages) {
          seen.push(by);
          message.ack();
        }
      };
    const calls = new BytePool(CALL_BYTES);
    const others = calls.account();
    await others.take(CALL_BYTES);
    const lost = leaseFor(HOUR_MS);
    const first = work(lost, handled('first'), calls);
    await publish(1, LARGE);
    await until(async () => (await inHand()) === 1);
    lost.lose();
    others.give(CALL_BYTES);
    await aWhile();
    await first.stop();
    work(leaseFor(HOUR_MS, 2), handled('second'));
    await until(() => seen.length > 0);
    expect(seen).toEqual(['second']);
  });

  it('nothing is handed over while it is not known whether the lease is held', async () => {
    const held: boolean[] = [];
    let isHeld = false;
    const lease = leaseFor(0);
    work(lease, async (messages) => {
      held.push(isHeld);
      for (const message of messages) message.ack();
    });
    await publish(1);
    await until(async () => (await inHand()) === 1);
    await aWhile();
    isHeld = true;
    lease.extend(performance.now() + HOUR_MS);
    await until(() => held.length > 0);
    expect(held).toEqual([true]);
  });
});

it('a small call waits for nobody, while a large one waits for its turn', async () => {
  const seen: number[] = [];
  const calls = new BytePool(CALL_BYTES);
  const [first, others] = [calls.account(), calls.account()];
  await first.take(CALL_BYTES);
  const waiting = others.take(CALL_BYTES);
  const handle: HandleBatch = async (messages) => {
    for (const message of messages) {
      seen.push((message.json() as { n: number }).n);
      message.ack();
    }
  };
  work(leaseFor(HOUR_MS), handle, calls);
  await publish(1);
  await until(() => seen.length === 1);
  await publish(2, LARGE);
  await publish(3);
  await until(async () => (await inHand()) === 2);
  await aWhile();
  expect(seen).toEqual([1]);
  first.give(CALL_BYTES);
  await waiting;
  others.give(CALL_BYTES);
  await until(() => seen.length === 3);
  expect(seen).toEqual([1, 2, 3]);
});

it('a tenant waits for one call of another in its partition, however much that one has sent', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const seen: number[] = [];
  work(leaseFor(HOUR_MS), async (messages) => {
    await released;
    for (const message of messages) {
      seen.push((message.json() as { n: number }).n);
      message.ack();
    }
  });
  const loud = Array.from({ length: 20 }, (_, n) => n);
  for (const n of loud) await publish(n, 'x'.repeat(CALL_BYTES / 2));
  const partition = partitionOf(SOURCE.workspaceId, SOURCE.sourceId);
  await publish(100, '', rawSubject({ workspaceId: 'quiet', sourceId: 'source', partition }));
  await until(async () => (await inHand()) === 21);
  release();
  await until(() => seen.length === 21);
  expect(seen.indexOf(100)).toBeLessThan(3);
  expect(seen.filter((n) => n !== 100)).toEqual(loud);
});

/** Takes one message in place of the worker. The broker serves open pulls in turn, so it is one of the next two. */
function stealOne(): { stolen: () => PulledMessage | undefined; over: Promise<void> } {
  let message: PulledMessage | undefined;
  const onMessage = (taken: PulledMessage) => {
    message = taken;
  };
  const signal = new AbortController().signal;
  const bounds = { messagesMax: 1, bytesMax: 1_048_576, expiresMs: HOUR_MS };
  const over = pullOnce({ nats: nats.connection, stream: EVENTS_RAW, durable, ...bounds, onMessage, signal });
  return { stolen: () => message, over };
}

/** Resolves once the worker has asked what is missing, and has pulled again after the answer. */
async function afterNextGathering(): Promise<void> {
  const asked: string[] = [];
  const subscription = nats.connection.subscribe(`$JS.API.CONSUMER.*.>`, {
    callback: (_, { subject }) => void asked.push(subject.includes('.INFO.') ? 'missing?' : 'pull'),
  });
  await until(() => asked.slice(asked.indexOf('missing?')).includes('pull') && asked.includes('missing?'));
  subscription.unsubscribe();
}

it('nothing overtakes a missing message, although a running call has acknowledged as many others', async () => {
  const seen: number[] = [];
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  work(leaseFor(HOUR_MS), async (messages) => {
    for (const message of messages) {
      seen.push((message.json() as { n: number }).n);
      message.ack();
    }
    await released;
  });
  await publish(1);
  await until(async () => seen.length === 1 && (await inHand()) === 0);
  const { stolen, over } = stealOne();
  for (const n of [2, 3, 4, 5]) await publish(n);
  await over;
  await afterNextGathering();
  release();
  await aWhile();
  stolen()?.nak();
  await until(() => seen.length >= 5);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

it('nothing is written in the name of a lease that is not held', async () => {
  const publisher = new StreamPublisher(nats.connection);
  const write = (lease: Lease) => publisher.publish(rawSubject(SOURCE), { n: 1 }, { msgId: 'once', lease });
  await expect(write(leaseFor(0))).rejects.toThrow(LeaseLostError);
  const { streams } = await patientManager(nats.connection);
  expect((await streams.info(EVENTS_RAW)).state.messages).toBe(0);
  await expect(write(leaseFor(HOUR_MS))).resolves.toMatchObject({ duplicate: false });
});
