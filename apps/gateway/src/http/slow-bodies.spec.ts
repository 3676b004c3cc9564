import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PROGRESS_BYTES_PER_S, SLOW_BYTES_PER_ADDRESS_MAX, SLOW_PER_ADDRESS_MAX, SlowBodies } from './slow-bodies.js';

const WINDOW_S = 5;
const ADDRESS = '192.0.2.1';

describe('SlowBodies', () => {
  let slow: SlowBodies;

  // Time stands still unless a test advances it.
  beforeEach(() => {
    jest.useFakeTimers();
    slow = new SlowBodies();
  });
  afterEach(() => {
    void slow.onModuleDestroy();
    jest.useRealTimers();
  });

  function begin(address = ADDRESS) {
    const cuts: { status: number }[] = [];
    return { watched: slow.begin(address, (refusal) => cuts.push(refusal)), cuts };
  }

  /** Advances time by seconds, with bytes arriving in each. */
  async function arrive(body: ReturnType<typeof begin>, seconds: number, bytesPerS: number) {
    for (let second = 0; second < seconds; second += 1) {
      body.watched.bytes += bytesPerS;
      await jest.advanceTimersByTimeAsync(1_000);
    }
  }

  it('cuts a body of which nothing comes for five seconds with 408, once', async () => {
    const body = begin();
    await arrive(body, WINDOW_S, 0);
    expect(body.cuts).toEqual([]);
    await arrive(body, 1, 0);
    expect(body.cuts).toMatchObject([{ status: 408 }]);
    await arrive(body, 60, 0);
    expect(body.cuts).toHaveLength(1);
  });

  it('cuts one that stalls after most of it came', async () => {
    const body = begin();
    await arrive(body, 3, 1_000_000);
    await arrive(body, WINDOW_S, 0);
    expect(body.cuts).toHaveLength(1);
  });

  it('cuts one that trickles, and leaves one alone that is as slow as it may be', async () => {
    const [trickling, steady] = [begin(), begin()];
    for (let second = 0; second < 60; second += 1) {
      trickling.watched.bytes += 1;
      await arrive(steady, 1, PROGRESS_BYTES_PER_S);
    }
    expect([trickling.cuts.length, steady.cuts.length]).toEqual([1, 0]);
  });

  it('leaves one alone that has ended', async () => {
    const body = begin();
    slow.end(body.watched);
    await arrive(body, 60, 0);
    expect(body.cuts).toEqual([]);
  });

  it('lets one address have a few slow ones: beyond them it cuts those that are slow for longest', async () => {
    const older = Array.from({ length: 3 }, () => begin());
    const others = Array.from({ length: SLOW_PER_ADDRESS_MAX }, () => begin());
    const elsewhere = begin('192.0.2.2');
    for (const body of [...older, ...others, elsewhere]) body.watched.bytes = 100_000;
    await jest.advanceTimersByTimeAsync(3_000);
    expect(older.map(({ cuts }) => cuts.length)).toEqual([1, 1, 1]);
    expect([...others, elsewhere].flatMap(({ cuts }) => cuts)).toEqual([]);
  });

  it('counts their bytes, too', async () => {
    const [older, newer] = [begin(), begin()];
    for (const body of [older, newer]) body.watched.bytes = 0.6 * SLOW_BYTES_PER_ADDRESS_MAX;
    await jest.advanceTimersByTimeAsync(3_000);
    expect([older.cuts.length, newer.cuts.length]).toEqual([1, 0]);
  });

  it('knows an address of IPv6 by its network, of which everybody has as many as they like', async () => {
    const bodies = Array.from({ length: SLOW_PER_ADDRESS_MAX + 1 }, (_, n) => begin(`2001:db8:0:1::${n.toString(16)}`));
    const elsewhere = begin('2001:db8:0:2::1');
    await jest.advanceTimersByTimeAsync(3_000);
    expect(bodies.flatMap(({ cuts }) => cuts)).toHaveLength(1);
    expect(elsewhere.cuts).toEqual([]);
  });
});
