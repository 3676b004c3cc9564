import { describe, expect, it, jest } from '@jest/globals';
import type { StreamPublisher } from '@weir/messaging';
import type { DeliveryShares } from './delivery-shares.js';
import { QueueWriter, textOf, WRITING_BYTES_MAX } from './queue-writer.js';

const writer = () => new QueueWriter({} as StreamPublisher, {} as DeliveryShares);
const { signal } = new AbortController();
const owner = { workspaceId: 'w1', destinationId: 'd1' };
const other = { workspaceId: 'w2', destinationId: 'd2' };

describe('room for what is written to queues', () => {
  it('is given back by writes that fail', async () => {
    const room = writer();
    const failing = () =>
      room.whileRoom(owner, WRITING_BYTES_MAX, signal, () => Promise.reject(new Error('no answer')));
    for (let n = 0; n < 3; n += 1) await expect(failing()).rejects.toThrow('no answer');
    expect(await room.whileRoom(owner, WRITING_BYTES_MAX, signal, async () => 'written')).toBe('written');
  });

  it('is there for a single message that is larger than all of it', async () => {
    expect(await writer().whileRoom(owner, 2 * WRITING_BYTES_MAX, signal, async () => 'written')).toBe('written');
  });

  it('is not waited for by a feed that ends', async () => {
    const room = writer();
    const held = Promise.withResolvers<void>();
    const first = room.whileRoom(owner, WRITING_BYTES_MAX, signal, () => held.promise);
    const ending = new AbortController();
    const second = room.whileRoom(owner, 1, ending.signal, async () => 'written');
    ending.abort(new Error('the feed ends'));
    await expect(second).rejects.toThrow('the feed ends');
    held.resolve();
    await first;
  });
});

describe('room that a workspace with many destinations wants', () => {
  const QUARTER = WRITING_BYTES_MAX / 4;
  const soon = () => new Promise((done) => setImmediate(done));

  it('is left to others, although all of it is wanted and nothing is given back', async () => {
    const room = writer();
    const held = Promise.withResolvers<void>();
    let running = 0;
    const writes = Array.from({ length: 100 }, () =>
      room.whileRoom(owner, QUARTER, signal, async () => {
        running += 1;
        await held.promise;
      }),
    );
    await soon();
    expect(running).toBe(3);
    expect(await room.whileRoom(other, QUARTER, signal, async () => 'written')).toBe('written');
    held.resolve();
    await Promise.all(writes);
    expect(running).toBe(100);
  });

  it('goes to others in turn when it becomes free', async () => {
    const room = writer();
    const order: string[] = [];
    const write = (of: typeof owner) =>
      room.whileRoom(of, WRITING_BYTES_MAX, signal, async () => {
        order.push(of.workspaceId);
        await soon();
      });
    await Promise.all([write(owner), write(owner), write(owner), write(other)]);
    expect(order).toEqual(['w1', 'w1', 'w2', 'w1']);
  });
});

describe('the name of what is written', () => {
  const part = (batchId: string) =>
    textOf({ batchId, sourceId: 's1', receivedAt: '2026-01-01T00:00:00.000Z', events: [{}] });
  const nameOf = async (batchIds: string[], partition = 0, destinationId = 'd1') => {
    const publishText = jest.fn<StreamPublisher['publishText']>(async () => ({
      sequence: 1,
      duplicate: false,
      msgId: 'm',
    }));
    const shares = { write: (_queue: unknown, _bytes: number, publish: () => unknown) => publish() };
    const queue = new QueueWriter({ publishText } as unknown as StreamPublisher, shares as unknown as DeliveryShares);
    await queue.store({ workspaceId: 'w1', destinationId, partition }, batchIds.map(part));
    return publishText.mock.calls[0]?.[2].msgId;
  };

  it('is the same each time, and another for other batches between the first and the last', async () => {
    const name = await nameOf(['b1', 'b2', 'b4']);
    expect(await nameOf(['b1', 'b2', 'b4'])).toBe(name);
    expect(await nameOf(['b1', 'b3', 'b4'])).not.toBe(name);
  });

  it('is another in another queue', async () => {
    const names = [await nameOf(['b1']), await nameOf(['b1'], 1), await nameOf(['b1'], 0, 'd2')];
    expect(new Set(names).size).toBe(3);
  });
});
