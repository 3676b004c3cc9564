import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Lanes } from './lanes.js';

/** Work that ends when the test says so. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Lanes whose turns nobody follows. */
const lanesOf = () => new Lanes<undefined>({ near: () => undefined, noLongerNear: () => undefined });

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Lanes', () => {
  it('run one after the other within a lane, whatever each takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3))), async (works) => {
        const lanes = lanesOf();
        const done: [string, number][] = [];
        const all = works.map(([lane, ticks], index) =>
          lanes.add(lane, undefined, async () => {
            for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
            done.push([lane, index]);
          }),
        );
        await Promise.all(all);
        for (const lane of ['a', 'b', 'c']) {
          const order = done.filter(([one]) => one === lane).map(([, index]) => index);
          expect(order).toEqual([...order].sort((x, y) => x - y));
        }
        await settle();
        expect([done.length, lanes.size]).toEqual([works.length, 0]);
      }),
    );
  });

  it('do not wait for each other', async () => {
    const lanes = lanesOf();
    const slow = gate();
    const done: string[] = [];
    const first = lanes.add('slow', undefined, () => slow.opened.then(() => void done.push('slow')));
    await lanes.add('fast', undefined, async () => void done.push('fast'));
    expect(done).toEqual(['fast']);
    slow.open();
    await first;
    expect(done).toEqual(['fast', 'slow']);
  });

  it('go on after work that failed', async () => {
    const lanes = lanesOf();
    const failing = lanes.add('a', undefined, () => Promise.reject(new Error('broken')));
    const next = lanes.add('a', undefined, async () => undefined);
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBeUndefined();
  });

  it('tell which works are near their turn: the first few of every lane, and none while it rests', async () => {
    const near = new Set<string>();
    const lanes = new Lanes<string>({ near: (item) => near.add(item), noLongerNear: (item) => near.delete(item) });
    const [work, retry] = [gate(), gate()];
    const all = Array.from({ length: 40 }, (_, n) => lanes.add('many', `many ${n}`, () => work.opened));
    const resting = lanes.add('resting', 'resting', (rest) => rest(() => retry.opened));
    expect(near).toContain('resting');
    await settle();
    const behind = lanes.add('resting', 'behind', async () => undefined);
    expect([...near]).toEqual(Array.from({ length: 16 }, (_, n) => `many ${n}`));
    retry.open();
    await settle();
    expect(near.size).toBe(16);
    await Promise.all([resting, behind]);
    work.open();
    await all[0];
    await all[1];
    expect([near.has('many 0'), near.has('many 17'), near.has('many 30')]).toEqual([false, true, false]);
    await Promise.all(all);
    await settle();
    expect([near.size, lanes.size]).toEqual([0, 0]);
  });

  it('tell it again after a rest that failed', async () => {
    const near = new Set<string>();
    const lanes = new Lanes<string>({ near: (item) => near.add(item), noLongerNear: (item) => near.delete(item) });
    const work = gate();
    const failed = lanes.add('a', 'first', (rest) => rest(() => Promise.reject(new Error('stopped'))));
    void lanes.add('a', 'second', () => work.opened);
    await expect(failed).rejects.toThrow('stopped');
    await settle();
    expect([...near]).toEqual(['second']);
    work.open();
  });
});
