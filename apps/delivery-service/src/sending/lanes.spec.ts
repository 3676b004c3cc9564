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

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Lanes', () => {
  it('run one after the other within a lane, whatever each takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3))), async (works) => {
        const lanes = new Lanes();
        const done: [string, number][] = [];
        const all = works.map(([lane, ticks], index) =>
          lanes.add(lane, async () => {
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
    const lanes = new Lanes();
    const slow = gate();
    const done: string[] = [];
    const first = lanes.add('slow', () => slow.opened.then(() => void done.push('slow')));
    await lanes.add('fast', async () => void done.push('fast'));
    expect(done).toEqual(['fast']);
    slow.open();
    await first;
    expect(done).toEqual(['fast', 'slow']);
  });

  it('go on after work that failed', async () => {
    const lanes = new Lanes();
    const failing = lanes.add('a', () => Promise.reject(new Error('broken')));
    const next = lanes.add('a', async () => undefined);
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBeUndefined();
  });
});
