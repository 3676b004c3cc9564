import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FlushBuffer } from './flush-buffer.js';

interface Item {
  id: string;
  bytes: number;
}
const item = (id: string, bytes = 1): Item => ({ id, bytes });

const isItemFault = (error: unknown) => (error as Error).message.startsWith('fault');
const pause = () => new Promise((done) => setTimeout(done, 5));

/** Records the ids of each flush and the order of work. Fails flushes that hold an item in `failing`. */
function bufferOf(failing: Record<string, string> = {}) {
  const flushes: string[][] = [];
  const order: string[] = [];
  const buffer = new FlushBuffer<Item, string[]>({
    bytesOf: ({ bytes }) => bytes,
    prepare: async (items) => {
      order.push(`prepare ${items[0]?.id}`);
      return items.map(({ id }) => id);
    },
    commit: async (ids) => {
      order.push(`commit ${ids[0]}`);
      flushes.push(ids);
      await pause();
      order.push(`committed ${ids[0]}`);
      const broken = ids.find((id) => failing[id]);
      if (broken) throw new Error(failing[broken]);
    },
    isItemFault,
    waitMs: 20,
    bytesMax: 10,
  });
  return { flushes, order, buffer };
}

describe('the flush buffer', () => {
  afterEach(() => void jest.useRealTimers());

  it('gathers what comes within its time into one flush', async () => {
    const { flushes, buffer } = bufferOf();
    await Promise.all(['a', 'b', 'c'].map((id) => buffer.add(item(id))));
    await buffer.add(item('d'));
    expect(flushes).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('keeps flushes small and in order, but takes an item that is too large by itself', async () => {
    const { flushes, buffer } = bufferOf();
    const sizes = { a: 4, b: 6, c: 4, d: 25, e: 1 };
    await Promise.all(Object.entries(sizes).map(([id, bytes]) => buffer.add(item(id, bytes))));
    expect(flushes).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('prepares a flush while the one before is committed, and commits one at a time', async () => {
    const { order, buffer } = bufferOf();
    await Promise.all(['a', 'b', 'c'].map((id) => buffer.add(item(id, 10))));
    expect(order).toEqual([
      'prepare a',
      'commit a',
      'prepare b',
      'committed a',
      'commit b',
      'prepare c',
      'committed b',
      'commit c',
      'committed c',
    ]);
  });

  it('does not wait once it is full', async () => {
    jest.useFakeTimers();
    const commit = jest.fn(async () => undefined);
    const prepare = async () => undefined;
    const buffer = new FlushBuffer<Item, undefined>({
      bytesOf: ({ bytes }) => bytes,
      prepare,
      commit,
      isItemFault,
      waitMs: 20,
      bytesMax: 2,
    });
    const first = buffer.add(item('a'));
    await jest.advanceTimersByTimeAsync(19);
    expect(commit).not.toHaveBeenCalled();
    await Promise.all([first, buffer.add(item('b'))]); // the fake clock stands still from here on
    expect(commit).toHaveBeenCalledTimes(1);
  });

  it('fails everybody when the database is away, and works again afterwards', async () => {
    const failing: Record<string, string> = { b: 'connection refused' };
    const { flushes, buffer } = bufferOf(failing);
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => buffer.add(item(id))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    delete failing['b'];
    await buffer.add(item('b'));
    expect(flushes).toEqual([['a', 'b', 'c'], ['b']]);
  });

  it('singles out the item that is at fault', async () => {
    const { flushes, buffer } = bufferOf({ b: 'fault of b' });
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => buffer.add(item(id))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(flushes).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });
});
