import { expect, it } from '@jest/globals';
import { FeedBatches } from './feed-batches.js';
import type { Landing } from './feed-options.js';
import type { FeedProgress } from './feed-progress.js';
import { HeldBatch, type Hold, type Home } from './held-batch.js';

/** Batches in a message of a queue, and messages that a feed may hold. */
const [PARTS, MESSAGES] = [64, 1_024];

const landing = { arrive: () => undefined, drop: () => undefined } as unknown as Landing;
const home = { done: async () => true } as unknown as Home;
const message = (n: number) =>
  new HeldBatch(
    home,
    {} as Hold,
    1,
    Array.from({ length: PARTS }, (_, at) => ({ batchId: `${n}/${at}`, at, events: 1 })),
  );

it('a feed knows every batch that it holds, and those it held just now', () => {
  const batches = new FeedBatches({ landing }, { forget: () => undefined } as unknown as FeedProgress);
  const held = Array.from({ length: MESSAGES }, (_, n) => message(n));
  for (const one of held) batches.begin(one, undefined);
  expect(batches.isFull).toBe(true);
  expect(held.flatMap(({ parts }) => parts).filter(({ batchId }) => !batches.hasSeen(batchId))).toEqual([]);
  const [first] = held;
  if (first) batches.finish(first);
  expect([batches.isFull, batches.hasSeen('0/0'), batches.hasSeen('1/0')]).toEqual([false, true, true]);
});

it('ten thousand feeds without batches fit the memory of a process', () => {
  const before = process.memoryUsage().heapUsed;
  const feeds = Array.from({ length: 10_000 }, () => new FeedBatches({ landing }, {} as FeedProgress));
  const bytes = (process.memoryUsage().heapUsed - before) / feeds.length;
  expect(bytes).toBeLessThan(5_000);
});

it('a feed forgets the oldest ids of finished batches', () => {
  const batches = new FeedBatches({ landing }, { forget: () => undefined } as unknown as FeedProgress);
  for (let n = 0; n < 65; n += 1) {
    const held = message(n);
    batches.begin(held, undefined);
    batches.finish(held);
  }
  expect([batches.hasSeen('0/0'), batches.hasSeen('1/0'), batches.hasSeen('64/63')]).toEqual([false, true, true]);
});
