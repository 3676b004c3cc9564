import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import type { DeliveryQueues } from '../queues/delivery-queues.js';
import { FairPool } from '../queues/fair-pool.js';
import { BatchContents } from './batch-contents.js';
import { type Hand, HeldBatch } from './held-batch.js';

const owner = { workspaceId: newKsuid(), destinationId: newKsuid() };
const part = { batchId: newKsuid(), sourceId: newKsuid(), receivedAt: new Date().toISOString(), events: [{}, {}] };
const message = Buffer.from(JSON.stringify({ ...owner, parts: [part] }));
const LINGER_MS = 20;

describe('the contents of messages', () => {
  let reads: number;
  let contents: BatchContents;
  let contentsOf: (messages: number) => BatchContents;
  const needed = new Set<HeldBatch>();
  const stopping = new AbortController();
  const heldAt = (sequence: number) => new HeldBatch({} as Hand, sequence, message.length);

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'nextTick', 'queueMicrotask'] });
    reads = 0;
    const read = async () => {
      reads += 1;
      return message;
    };
    const queues = { message: read } as unknown as DeliveryQueues;
    contentsOf = (messages) => {
      const bytes = 6 * messages * message.length; // a destination alone gets a sixth
      const memory = new FairPool({ commonMax: bytes, ownMax: 0, max: bytes });
      const isNeeded = (held: HeldBatch) => needed.has(held);
      return new BatchContents({ owner, queues, memory, signal: stopping.signal, isNeeded });
    };
    contents = contentsOf(1);
    needed.clear();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('stay between two uses that follow each other, although another message waits for their memory', async () => {
    const [first, second] = [heldAt(1), heldAt(2)];
    await contents.open(first);
    contents.close(first);
    const other = contents.open(second);
    await contents.open(first);
    contents.close(first);
    expect([reads, second.content]).toEqual([1, undefined]);

    jest.advanceTimersByTime(LINGER_MS);
    expect((await other)?.parts).toHaveLength(1);
    expect([reads, first.content]).toEqual([2, undefined]);
  });

  it('free their memory at once when their message is done', async () => {
    const [first, second] = [heldAt(1), heldAt(2)];
    await contents.open(first);
    contents.close(first);
    contents.drop(first);
    await contents.open(second);
    jest.advanceTimersByTime(LINGER_MS);
    expect([first.content, second.content?.parts.length, reads]).toEqual([undefined, 1, 2]);
  });

  it('leave memory last if an event of theirs is near its turn', async () => {
    contents = contentsOf(2);
    const [first, second, third] = [heldAt(1), heldAt(2), heldAt(3)];
    needed.add(first);
    for (const held of [first, second]) {
      await contents.open(held);
      contents.close(held);
    }
    jest.advanceTimersByTime(LINGER_MS);
    await contents.open(third);
    expect([first.content?.parts.length, second.content]).toEqual([1, undefined]);
  });

  it('give up nothing for a message that has just arrived', async () => {
    const [first, arrived] = [heldAt(1), heldAt(2)];
    await contents.open(first);
    contents.close(first);
    jest.advanceTimersByTime(LINGER_MS);
    contents.keep(arrived, message);
    expect([first.content?.parts.length, arrived.data]).toEqual([1, undefined]);
  });
});
