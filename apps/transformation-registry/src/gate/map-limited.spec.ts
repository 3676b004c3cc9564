import { describe, expect, it } from '@jest/globals';
import { mapLimited } from './map-limited.js';

/** Lets everything continue that waits only for promises. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that ends when the test says so. */
function scene() {
  const started: number[] = [];
  const open = new Map<number, PromiseWithResolvers<number>>();
  const work = (n: number) => {
    const gate = Promise.withResolvers<number>();
    started.push(n);
    open.set(n, gate);
    return gate.promise;
  };
  return {
    ...{ started, work },
    end: (n: number) => open.get(n)?.resolve(n * 2),
    fail: (n: number) => open.get(n)?.reject(new Error('no')),
  };
}

describe('mapLimited', () => {
  it('keeps the order and the limit', async () => {
    const { started, work, end } = scene();
    const results = mapLimited([1, 2, 3, 4], 2, work);
    expect(started).toEqual([1, 2]);
    end(2);
    await turn();
    expect(started).toEqual([1, 2, 3]);
    end(3);
    await turn();
    expect(started).toEqual([1, 2, 3, 4]);
    end(4);
    end(1);
    expect(await results).toEqual([2, 4, 6, 8]);
  });

  it('starts nothing more after a failure', async () => {
    const { started, work, end, fail } = scene();
    const results = mapLimited([1, 2, 3, 4], 2, work);
    fail(1);
    await expect(results).rejects.toThrow('no');
    end(2);
    await turn();
    expect(started).toEqual([1, 2]);
  });
});
