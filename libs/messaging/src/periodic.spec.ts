import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Periodic, type PeriodicOptions, periodicFailures } from './periodic.js';

const EVERY_MS = 1_000;

describe('Periodic', () => {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const turns: PromiseWithResolvers<void>[] = [];
  let periodic: Periodic;

  /** Each turn ends when the test says so. */
  function make(options: Partial<PeriodicOptions> = {}): Periodic {
    const run = () => {
      turns.push(Promise.withResolvers());
      return turns.at(-1)?.promise;
    };
    return new Periodic({ task: 'count sheep', everyMs: EVERY_MS, run, log, ...options });
  }
  const pass = (intervals: number) => jest.advanceTimersByTimeAsync(intervals * EVERY_MS);
  const end = async (turn: number) => {
    turns[turn]?.resolve();
    await pass(0);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    warnings.length = turns.length = 0;
    periodic = make();
  });
  afterEach(() => void jest.useRealTimers());

  it('begins its first turn after the interval, and never two at a time', async () => {
    periodic.start();
    expect(turns).toHaveLength(0);
    await pass(3);
    expect(turns).toHaveLength(1);
    await end(0);
    await pass(1);
    expect(turns).toHaveLength(2);
  });

  it('has one timer, however often it is started', async () => {
    for (let start = 0; start < 3; start += 1) periodic.start();
    expect(jest.getTimerCount()).toBe(1);
  });

  it('stops after the running turn, and then runs no more', async () => {
    periodic.start();
    await pass(1);
    let isStopped = false;
    const stopping = periodic.stop().then(() => {
      isStopped = true;
    });
    await pass(2);
    expect([isStopped, periodic.isStopped]).toEqual([false, true]);
    await end(0);
    await stopping;
    await pass(2);
    await periodic.run();
    expect(turns).toHaveLength(1);
  });

  it('runs once more at its stop if asked to, after the running turn', async () => {
    periodic = make({ runsAtStop: true });
    periodic.start();
    await pass(1);
    const stopping = periodic.stop();
    expect(turns).toHaveLength(1);
    await end(0);
    expect(turns).toHaveLength(2);
    await end(1);
    await stopping;
  });

  it('runs at once when asked; callers during a turn share the one after it', async () => {
    const first = periodic.run();
    const others = [periodic.run(), periodic.run()];
    await end(0);
    await first;
    await end(1);
    await Promise.all(others);
    expect(turns).toHaveLength(2);
  });

  it('starts again after a stop', async () => {
    periodic.start();
    await periodic.stop();
    periodic.start();
    await pass(1);
    expect(turns).toHaveLength(1);
  });

  it.each([
    ['a rejection', () => Promise.reject(new Error('no wool'))],
    [
      'an exception',
      () => {
        throw new Error('no wool');
      },
    ],
  ])('logs and counts %s, and goes on', async (kind, run) => {
    const task = `shear after ${kind}`;
    periodic = make({ task, run });
    expect(periodicFailures().get(task)).toBe(0);
    periodic.start();
    await pass(2);
    expect(periodicFailures().get(task)).toBe(2);
    expect(warnings).toEqual(Array(2).fill(`cannot ${task} yet: no wool`));
  });

  it('keeps processes apart that start together', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    periodic = make({ jitter: 0.2 });
    periodic.start();
    await pass(1);
    expect(turns).toHaveLength(0);
    await pass(0.1);
    expect(turns).toHaveLength(1);
  });
});
