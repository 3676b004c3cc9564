import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { FairPool } from '../queues/fair-pool.js';
import { BatchContents } from './batch-contents.js';
import { HeldBatch, type Hold, type Home } from './held-batch.js';

const owner = { workspaceId: newKsuid(), destinationId: newKsuid() };
const part = {
  ...owner,
  batchId: newKsuid(),
  sourceId: newKsuid(),
  receivedAt: new Date().toISOString(),
  events: [{}, {}],
};
const BYTES = 200;
const LINGER_MS = 20;

describe('the contents of batches', () => {
  let reads: number;
  let contents: BatchContents;
  let contentsOf: (batches: number) => BatchContents;
  const needed = new Set<HeldBatch>();
  const stopping = new AbortController();
  const home = {
    read: async () => {
      reads += 1;
      return [part];
    },
  } as unknown as Home;
  const batch = () => new HeldBatch(home, {} as Hold, BYTES, [{ batchId: part.batchId, at: 0, events: 2 }]);

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'nextTick', 'queueMicrotask'] });
    reads = 0;
    contentsOf = (batches) => {
      const bytes = 6 * batches * BYTES; // a destination alone gets a sixth
      const memory = new FairPool({ commonMax: bytes, ownMax: 0, max: bytes });
      const isNeeded = (held: HeldBatch) => needed.has(held);
      return new BatchContents({ owner, memory, signal: stopping.signal, isNeeded });
    };
    contents = contentsOf(1);
    needed.clear();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('stay between two uses that follow each other, although another batch waits for their memory', async () => {
    const [first, second] = [batch(), batch()];
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

  it('free their memory at once when their batch is done', async () => {
    const [first, second] = [batch(), batch()];
    await contents.open(first);
    contents.close(first);
    contents.drop(first);
    await contents.open(second);
    jest.advanceTimersByTime(LINGER_MS);
    expect([first.content, second.content?.parts.length, reads]).toEqual([undefined, 1, 2]);
  });

  it('leave memory last if an event of theirs is near its turn', async () => {
    contents = contentsOf(2);
    const [first, second, third] = [batch(), batch(), batch()];
    needed.add(first);
    for (const held of [first, second]) {
      await contents.open(held);
      contents.close(held);
    }
    jest.advanceTimersByTime(LINGER_MS);
    await contents.open(third);
    expect([first.content?.parts.length, second.content]).toEqual([1, undefined]);
  });

  it('give way to a batch that has just arrived, unless they are needed soon', async () => {
    const first = batch();
    needed.add(first);
    await contents.open(first);
    contents.close(first);
    jest.advanceTimersByTime(LINGER_MS);
    expect([contents.takeIfFree(BYTES), first.content?.parts.length]).toEqual([false, 1]);
    needed.clear();
    expect([contents.takeIfFree(BYTES), first.content]).toEqual([true, undefined]);
  });
});
