import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.js';

/** Starts work that ends when the test says so, and logs what happens. */
function scene() {
  const queue = new KeyedQueue(3);
  const log: string[] = [];
  const start = (key: string, name: string) => {
    const gate = Promise.withResolvers<string>();
    const work = () => {
      log.push(`${name} runs`);
      return gate.promise;
    };
    return { done: queue.run(key, work), end: () => gate.resolve(name), fail: () => gate.reject(new Error(name)) };
  };
  return { queue, log, start };
}

describe('KeyedQueue', () => {
  it('runs the work of one key one after another, and another key beside it', async () => {
    const { log, start } = scene();
    const [first, second, other] = [start('a', '1'), start('a', '2'), start('b', 'other')] as const;
    other.end();
    expect(await other.done).toBe('other');
    expect(log).toEqual(['1 runs', 'other runs']);
    first.end();
    second.end();
    expect([await first.done, await second.done]).toEqual(['1', '2']);
    expect(log).toEqual(['1 runs', 'other runs', '2 runs']);
  });

  it('goes on after work that fails, and forgets a key that has ended', async () => {
    const { queue, start } = scene();
    const [first, second] = [start('a', '1'), start('a', '2')] as const;
    first.fail();
    await expect(first.done).rejects.toThrow('1');
    expect(queue.size).toBe(1);
    second.end();
    await second.done;
    await queue.run('b', async () => undefined);
    expect(queue.size).toBe(0);
  });

  it('refuses what would wait behind too many of its key', async () => {
    const { queue, start } = scene();
    const waiting = [start('a', '1'), start('a', '2'), start('a', '3')];
    await expect(start('a', '4').done).rejects.toMatchObject({ code: 'unavailable' });
    for (const { end } of waiting) end();
    await Promise.all(waiting.map(({ done }) => done));
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });
});
