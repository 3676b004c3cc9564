import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BytePool } from './byte-pool.js';

const soon = () => new Promise<void>((done) => setImmediate(done));

/** The current state of each promise: its answer, or undefined while it is pending. */
async function settled(taken: Promise<boolean>[]): Promise<(boolean | undefined)[]> {
  const states: (boolean | undefined)[] = taken.map(() => undefined);
  for (const [n, one] of taken.entries()) void one.then((answer) => (states[n] = answer));
  await soon();
  return states;
}

describe('a pool of bytes', () => {
  it('gives everybody his own, and the rest in the order of asking', async () => {
    const pool = new BytePool(10);
    const [greedy, modest] = [pool.account(2), pool.account(2)];
    const taken = [greedy.take(12), greedy.take(1), modest.take(2), modest.take(1)];
    expect(await settled(taken)).toEqual([true, undefined, true, undefined]);
    greedy.give(1);
    expect(await settled(taken)).toEqual([true, true, true, undefined]);
    greedy.give(5);
    expect(await settled(taken)).toEqual([true, true, true, true]);
    expect(pool.free).toBe(4);
  });

  it('lets nobody overtake one that needs more than is free', async () => {
    const pool = new BytePool(10);
    const accounts = [pool.account(), pool.account(), pool.account()] as const;
    const taken = [accounts[0].take(6), accounts[1].take(8), accounts[2].take(1)];
    expect(await settled(taken)).toEqual([true, undefined, undefined]);
    accounts[0].give(6);
    expect(await settled(taken)).toEqual([true, true, true]);
  });

  it('gives more than there is as soon as nobody else has anything', async () => {
    const pool = new BytePool(10);
    const [small, large] = [pool.account(), pool.account()];
    const taken = [small.take(1), large.take(100)];
    expect(await settled(taken)).toEqual([true, undefined]);
    small.give(1);
    expect(await settled(taken)).toEqual([true, true]);
    large.give(100);
    expect(pool.free).toBe(10);
  });

  it('lets go of who no longer waits', async () => {
    const pool = new BytePool(10);
    const stopping = new AbortController();
    const [first, second] = [pool.account(), pool.account()];
    const taken = [first.take(6), second.take(6, stopping.signal), first.take(4)];
    expect(await settled(taken)).toEqual([true, undefined, undefined]);
    stopping.abort();
    expect(await settled(taken)).toEqual([true, false, true]);
    expect(await second.take(1, stopping.signal)).toBe(false);
    expect(second.held).toBe(0);
  });

  it('is whole again when everybody has given back what he took, in any order', async () => {
    const step = fc.record({ account: fc.nat({ max: 3 }), bytes: fc.integer({ min: 1, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const pool = new BytePool(12);
        const accounts = Array.from({ length: 4 }, () => pool.account(3));
        const given = steps.map(async ({ account, bytes }) => {
          await accounts[account]?.take(bytes);
          expect(accounts.reduce((sum, { held }) => sum + held, 0)).toBeLessThanOrEqual(12 + 4 * 3);
          await soon();
          accounts[account]?.give(bytes);
        });
        await Promise.all(given);
        expect(pool.free).toBe(12);
      }),
      { numRuns: 50 },
    );
  });

  it('takes in what has to come in, also where there is no room, and counts it until it is given back', async () => {
    const pool = new BytePool(10);
    const [owing, other] = [pool.account(), pool.account()];
    owing.force(25);
    expect(pool.free).toBe(-15);
    let hasRoom = false;
    const taking = other.take(5).then(() => {
      hasRoom = true;
    });
    owing.give(15);
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    owing.give(10);
    await taking;
    expect(pool.free).toBe(5);
  });
});
