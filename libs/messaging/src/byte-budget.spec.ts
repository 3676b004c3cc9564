import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteBudget } from './byte-budget.js';

const soon = () => new Promise<void>((done) => setImmediate(done));

/** The current state of each promise: its answer, or undefined while it is pending. */
async function settled(taken: Promise<boolean>[]): Promise<(boolean | undefined)[]> {
  const states: (boolean | undefined)[] = taken.map(() => undefined);
  for (const [n, one] of taken.entries()) void one.then((answer) => (states[n] = answer));
  await soon();
  return states;
}

describe('a budget of bytes', () => {
  it('gives everybody his own, and the rest in the order of asking', async () => {
    const budget = new ByteBudget(10);
    const [greedy, modest] = [budget.room(2), budget.room(2)];
    const taken = [greedy.take(12), greedy.take(1), modest.take(2), modest.take(1)];
    expect(await settled(taken)).toEqual([true, undefined, true, undefined]);
    greedy.give(1);
    expect(await settled(taken)).toEqual([true, true, true, undefined]);
    greedy.give(5);
    expect(await settled(taken)).toEqual([true, true, true, true]);
    expect(budget.free).toBe(4);
  });

  it('lets nobody overtake one that needs more than is free', async () => {
    const budget = new ByteBudget(10);
    const rooms = [budget.room(), budget.room(), budget.room()] as const;
    const taken = [rooms[0].take(6), rooms[1].take(8), rooms[2].take(1)];
    expect(await settled(taken)).toEqual([true, undefined, undefined]);
    rooms[0].give(6);
    expect(await settled(taken)).toEqual([true, true, true]);
  });

  it('gives more than there is as soon as nobody else has anything', async () => {
    const budget = new ByteBudget(10);
    const [small, large] = [budget.room(), budget.room()];
    const taken = [small.take(1), large.take(100)];
    expect(await settled(taken)).toEqual([true, undefined]);
    small.give(1);
    expect(await settled(taken)).toEqual([true, true]);
    large.give(100);
    expect(budget.free).toBe(10);
  });

  it('lets go of who no longer waits', async () => {
    const budget = new ByteBudget(10);
    const stopping = new AbortController();
    const [first, second] = [budget.room(), budget.room()];
    const taken = [first.take(6), second.take(6, stopping.signal), first.take(4)];
    expect(await settled(taken)).toEqual([true, undefined, undefined]);
    stopping.abort();
    expect(await settled(taken)).toEqual([true, false, true]);
    expect(await second.take(1, stopping.signal)).toBe(false);
    expect(second.held).toBe(0);
  });

  it('is whole again when everybody has given back what he took, in any order', async () => {
    const step = fc.record({ room: fc.nat({ max: 3 }), bytes: fc.integer({ min: 1, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const budget = new ByteBudget(12);
        const rooms = Array.from({ length: 4 }, () => budget.room(3));
        const given = steps.map(async ({ room, bytes }) => {
          await rooms[room]?.take(bytes);
          expect(rooms.reduce((sum, { held }) => sum + held, 0)).toBeLessThanOrEqual(12 + 4 * 3);
          await soon();
          rooms[room]?.give(bytes);
        });
        await Promise.all(given);
        expect(budget.free).toBe(12);
      }),
      { numRuns: 50 },
    );
  });

  it('takes in what has to come in, also where there is no room, and counts it until it is given back', async () => {
    const budget = new ByteBudget(10);
    const [owing, other] = [budget.room(), budget.room()];
    owing.force(25);
    expect(budget.free).toBe(-15);
    let hasRoom = false;
    const taking = other.take(5).then(() => {
      hasRoom = true;
    });
    owing.give(15);
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    owing.give(10);
    await taking;
    expect(budget.free).toBe(5);
  });
});
