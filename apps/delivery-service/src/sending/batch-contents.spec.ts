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
    // a destination alone gets a sixth: one message
    const memory = new FairPool({ commonMax: 6 * message.length, ownMax: 0, max: 6 * message.length });
    contents = new BatchContents(owner, queues, memory, stopping.signal);
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
});
