import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type EventBatch } from '@weir/contracts';
import { FlushBuffer } from './flush-buffer.js';

const batch = (batchId: string, events = 1): EventBatch => ({
  batchId,
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'wk',
  receivedAt: '2026-01-01T00:00:00.000Z',
  inventoryRevision: 0,
  events: Array(events).fill({}),
});

const faultOf = (error: unknown) => (error as Error).message.startsWith('fault');

/** Remembers the batch ids of each flush; fails those that hold a batch of `failing`. */
function bufferOf(failing: Record<string, string> = {}) {
  const flushes: string[][] = [];
  const buffer = new FlushBuffer({
    flush: async (batches) => {
      flushes.push(batches.map(({ batchId }) => batchId));
      await new Promise((done) => setTimeout(done, 5));
      const broken = batches.find(({ batchId }) => failing[batchId]);
      if (broken) throw new Error(failing[broken.batchId]);
    },
    isBatchFault: faultOf,
    waitMs: 20,
    eventsMax: 10,
  });
  return { flushes, buffer };
}

describe('the flush buffer', () => {
  afterEach(() => void jest.useRealTimers());

  it('gathers what comes within its time into one flush', async () => {
    const { flushes, buffer } = bufferOf();
    await Promise.all(['a', 'b', 'c'].map((id) => buffer.add(batch(id))));
    await buffer.add(batch('d'));
    expect(flushes).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('keeps flushes small and in order, but takes a batch that is too large by itself', async () => {
    const { flushes, buffer } = bufferOf();
    const sizes = { a: 4, b: 6, c: 4, d: 25, e: 1 };
    await Promise.all(Object.entries(sizes).map(([id, events]) => buffer.add(batch(id, events))));
    expect(flushes).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('does not wait once it is full', async () => {
    jest.useFakeTimers();
    const flush = jest.fn(async () => undefined);
    const buffer = new FlushBuffer({ flush, isBatchFault: faultOf, waitMs: 20, eventsMax: 2 });
    const first = buffer.add(batch('a'));
    await jest.advanceTimersByTimeAsync(19);
    expect(flush).not.toHaveBeenCalled();
    await Promise.all([first, buffer.add(batch('b'))]); // on a clock that stands still from here on
    expect(flush).toHaveBeenCalledTimes(1);
  });

  it('fails everybody when the database is away, and works again afterwards', async () => {
    const failing: Record<string, string> = { b: 'connection refused' };
    const { flushes, buffer } = bufferOf(failing);
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => buffer.add(batch(id))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    delete failing['b'];
    await buffer.add(batch('b'));
    expect(flushes).toEqual([['a', 'b', 'c'], ['b']]);
  });

  it('singles out the batch that is at fault', async () => {
    const { flushes, buffer } = bufferOf({ b: 'fault of b' });
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => buffer.add(batch(id))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(flushes).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });
});
