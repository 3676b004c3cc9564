import { describe, expect, it } from '@jest/globals';
import { FairPool } from '../queues/fair-pool.js';
import { AdaptiveLimit, BASE_SLOTS } from './adaptive-limit.js';

const owner = { workspaceId: 'w', destinationId: 'd' };
const pool = () => new FairPool({ commonMax: 1_536, ownMax: 16, max: 2_048 });

/** A destination that takes 100 ms for up to `atOnce` attempts, and queues the rest. Time is counted, not spent. */
async function load(limit: AdaptiveLimit, atOnce: number, rounds: number): Promise<number> {
  let highest = 0;
  for (let round = 0; round < rounds; round += 1) {
    const gates: (() => void)[] = [];
    const attempts = Array.from({ length: 400 }, () =>
      limit.run(async () => {
        await new Promise<void>((open) => gates.push(open));
        limit.answered(100 * Math.max(1, gates.length / atOnce));
      }),
    );
    for (let open = 0; open < attempts.length; ) {
      await turn();
      highest = Math.max(highest, gates.length - open);
      const until = gates.length;
      for (; open < until; open += 1) gates[open]?.();
    }
    await Promise.all(attempts);
  }
  return highest;
}

const turn = () => new Promise<void>((next) => setImmediate(next));

const fresh = (slotsMax = 256, shared = pool(), gathered = 0) =>
  new AdaptiveLimit({ owner, pool: shared, slotsMax, gathered });

/** Keeps the limit in full use while it gets these reports. */
async function busy(limit: AdaptiveLimit, report: () => Promise<void>): Promise<void> {
  const gates: (() => void)[] = [];
  const attempts = Array.from({ length: 600 }, () => limit.run(() => new Promise<void>((open) => gates.push(open))));
  await turn();
  await report();
  while (gates.length > 0) {
    for (const open of gates.splice(0)) open();
    await turn();
  }
  await Promise.all(attempts);
}

/** Reports as often, and lets attempts begin in between. */
async function times(count: number, report: () => void): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    report();
    await turn();
  }
}

describe('the limit of a destination', () => {
  it('grows to what is allowed while answers stay quick, so that slow answers do not bound the rate', async () => {
    const limit = fresh();
    expect(limit.slots).toBe(BASE_SLOTS);
    expect(await load(limit, 1_000, 1)).toBeGreaterThan(100);
  });

  it('never exceeds its own maximum', async () => {
    expect(await load(fresh(20), 1_000, 3)).toBe(20);
    expect(fresh(4).slots).toBe(4);
  });

  it('stops to grow when answers get slower', async () => {
    const limit = fresh();
    await busy(limit, async () => {
      await times(100, () => limit.answered(100));
      const before = limit.slots;
      await times(100, () => limit.answered(1_000));
      expect(limit.slots).toBeLessThan(before);
      expect(limit.slots).toBeGreaterThanOrEqual(BASE_SLOTS);
    });
  });

  it('falls to a single attempt when the destination is overloaded, and recovers with its answers', async () => {
    const limit = fresh();
    await busy(limit, async () => {
      await times(50, () => limit.failed());
      expect(limit.slots).toBe(1);
      await times(50, () => limit.answered(100));
      expect(limit.slots).toBeGreaterThan(BASE_SLOTS / 2);
    });
  });

  it('does not grow while the destination gets less than it could take', async () => {
    const limit = fresh();
    await times(100, () => limit.answered(100));
    expect(limit.slots).toBe(BASE_SLOTS);
  });

  it('leaves the base to every destination when others hold what is shared', async () => {
    const shared = pool();
    while (shared.tryTake({ workspaceId: 'greedy', destinationId: `${shared.held}` }, 16));
    const limit = fresh(256, shared);
    expect(await load(limit, 1_000, 1)).toBe(BASE_SLOTS);
  });

  it('gives back what others share once it has nothing to do', async () => {
    const shared = pool();
    await load(fresh(256, shared), 1_000, 1);
    expect(shared.held).toBe(0);
  });

  it('keeps room for the payloads of a whole batch', async () => {
    const limit = fresh(256, pool(), 100);
    await busy(limit, async () => {
      await times(50, () => limit.failed());
    });
    expect(await load(fresh(1, pool(), 100), 1_000, 1)).toBe(101);
    expect(limit.slots).toBe(1);
  });
});
