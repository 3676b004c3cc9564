import { expect, it, jest } from '@jest/globals';
import { Lease } from '@weir/messaging';
import type { AcceptedPart, FeedOptions, FeedServices } from './feed-options.js';
import { PartitionFeed } from './partition-feed.js';

/** A feed that waits for its saved progress before it takes anything. */
function scene() {
  let open: (progress: Map<string, number[]>) => void = () => undefined;
  const loaded = new Promise((resolve) => {
    open = resolve;
  });
  const services = {
    queues: { next: async () => undefined },
    progress: { load: () => loaded, store: async () => undefined },
  } as unknown as FeedServices;
  const lease = new Lease({ slot: 3, epoch: 1 }, performance.now() + 60_000, async () => 2);
  const landing = {
    isBehind: false,
    take: jest.fn(() => true),
    arrive: jest.fn(),
    drop: jest.fn(),
    reading: jest.fn(),
  };
  const options = { owner: { workspaceId: 'w1', destinationId: 'd1' }, lease, landing } as unknown as FeedOptions;
  const accepted = { part: { batchId: 'b1', events: [{}] }, bytes: 1, taken: jest.fn(), settled: jest.fn() };
  return { feed: new PartitionFeed(options, services), accepted, open: () => open(new Map()) };
}

it('a feed that ends while it accepts a batch does not claim to have it, so that another feed gets it', async () => {
  const { feed, accepted, open } = scene();
  const taking = feed.accept([accepted as unknown as AcceptedPart]);
  expect(feed.isIdle).toBe(false);
  const released = feed.release(0);
  open();
  await expect(taking).rejects.toThrow('aborted');
  await released;
  expect(accepted.taken).not.toHaveBeenCalled();
});
