import { describe, expect, it } from '@jest/globals';
import { KeyedQueue, SingleFlight } from './concurrency.js';
import { workOwner } from './work-owner.js';

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

/** A flight whose runs end when the test says so. */
function controlled() {
  const runs: { end: () => void; fail: (error: Error) => void }[] = [];
  const flight = new SingleFlight(() => new Promise((end, fail) => void runs.push({ end, fail })));
  return { flight, runs };
}

const settle = () => new Promise((done) => setTimeout(done, 0));

describe('SingleFlight', () => {
  it('serves callers that wait with one run, which begins after they called', async () => {
    const { flight, runs } = controlled();
    const first = flight.run();
    const waiting = [flight.run(), flight.run()];
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await settle();
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    await Promise.all(waiting);
    expect(runs).toHaveLength(2);
  });

  it('fails the callers of a failed run only', async () => {
    const { flight, runs } = controlled();
    const first = flight.run().catch((error: Error) => error.message);
    const second = flight.run().then(() => 'done');
    runs[0]?.fail(new Error('broker away'));
    expect(await first).toBe('broker away');
    await settle();
    runs[1]?.end();
    expect(await second).toBe('done');
  });

  it('works for none of its callers, because it works for all', async () => {
    const owners: unknown[] = [];
    const flight = new SingleFlight(async () => void owners.push(workOwner.get()));
    await workOwner.run({ workspaceId: 'w', isUrgent: false }, () => Promise.all([flight.run(), flight.run()]));
    expect(owners).toEqual([undefined, undefined]);
  });

  it('begins anew after it has come to rest', async () => {
    const { flight, runs } = controlled();
    for (const round of [0, 1, 2]) {
      const run = flight.run();
      runs[round]?.end();
      await run;
    }
    expect(runs).toHaveLength(3);
  });

  it('starts a third run for who calls during the second', async () => {
    const { flight, runs } = controlled();
    void flight.run();
    void flight.run();
    runs[0]?.end();
    await settle();
    const third = flight.run();
    runs[1]?.end();
    await settle();
    expect(runs).toHaveLength(3);
    runs[2]?.end();
    await third;
  });
});
