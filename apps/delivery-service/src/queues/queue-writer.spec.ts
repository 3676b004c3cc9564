import { describe, expect, it } from '@jest/globals';
import type { StreamPublisher } from '@weir/messaging';
import type { DeliveryShares } from './delivery-shares.js';
import { QueueWriter, WRITING_BYTES_MAX } from './queue-writer.js';

const writer = () => new QueueWriter({} as StreamPublisher, {} as DeliveryShares);
const { signal } = new AbortController();

describe('room for what is written to queues', () => {
  it('is given back by writes that fail', async () => {
    const room = writer();
    const failing = () => room.whileRoom(WRITING_BYTES_MAX, signal, () => Promise.reject(new Error('no answer')));
    for (let n = 0; n < 3; n += 1) await expect(failing()).rejects.toThrow('no answer');
    expect(await room.whileRoom(WRITING_BYTES_MAX, signal, async () => 'written')).toBe('written');
  });

  it('is there for a single message that is larger than all of it', async () => {
    expect(await writer().whileRoom(2 * WRITING_BYTES_MAX, signal, async () => 'written')).toBe('written');
  });

  it('is not waited for by a feed that ends', async () => {
    const room = writer();
    const held = Promise.withResolvers<void>();
    const first = room.whileRoom(WRITING_BYTES_MAX, signal, () => held.promise);
    const ending = new AbortController();
    const second = room.whileRoom(1, ending.signal, async () => 'written');
    ending.abort(new Error('the feed ends'));
    await expect(second).rejects.toThrow('the feed ends');
    held.resolve();
    await first;
  });
});
