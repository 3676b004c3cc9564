import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { during, STALL_MS } from '@weir/messaging';
import { Metrics } from './metrics.js';
import { StallWatch } from './stall-watch.js';

/** Clearly a stall. */
const LONG_MS = 4 * STALL_MS;

/** Computes until this thread has used that much processor time, however busy the machine is. */
function compute(ms: number): void {
  const usage = process.threadCpuUsage ?? process.cpuUsage;
  const startedAt = usage();
  for (;;) {
    const { user, system } = usage(startedAt);
    if ((user + system) / 1_000 >= ms) return;
    for (let turn = 0; turn < 10_000; turn += 1) Math.sqrt(turn);
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const suspend = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('StallWatch', () => {
  let metrics: Metrics;
  let watch: StallWatch;
  beforeEach(async () => {
    Logger.overrideLogger(false);
    metrics = new Metrics('test');
    watch = new StallWatch(metrics);
    await sleep(50);
  });
  afterEach(() => watch.stop());

  /** Number of stalls explained so far, by work. */
  const explained = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.text()).matchAll(/^weir_event_loop_stall_seconds_count\{(.*)\} (.*)$/gm);
    return Object.fromEntries(
      [...lines].map(([, labels = '', count]) => [/work="([^"]*)"/.exec(labels)?.[1], Number(count)]),
    );
  };

  /** Number of stalls so far, by work. Stalls are explained in their order, so it makes one more and waits for that. */
  const stalls = async (): Promise<Record<string, number>> => {
    await sleep(50); // the watch now knows of all stalls before
    const marks = (await explained())['the last'] ?? 0;
    during('the last', () => compute(LONG_MS));
    while (((await explained())['the last'] ?? 0) <= marks) await sleep(20);
    return explained();
  };

  it('reports marked work by its name, once', async () => {
    const times = 3;
    for (let time = 0; time < times; time += 1) {
      during('transform:SLACK', () => compute(LONG_MS));
      await sleep(50);
    }
    const { 'transform:SLACK': marked, unknown = 0 } = await stalls();
    expect(marked).toBe(times);
    // A busy machine may add a stall of its own, but not one for each of these.
    expect(unknown).toBeLessThan(times);
  });

  it('reports work that nobody marked', async () => {
    const times = 3;
    for (let time = 0; time < times; time += 1) {
      compute(LONG_MS);
      await sleep(50);
    }
    const { unknown = 0 } = await stalls();
    expect(unknown).toBeGreaterThanOrEqual(times); // a busy machine may add stalls of its own
  });

  it('takes a process that stood still for no work of its own', async () => {
    during('transform:SLACK', () => suspend(400));
    suspend(400);
    const seen = await stalls();
    // A busy machine also suspends the process at other times.
    expect(seen['suspended'] ?? 0).toBeGreaterThanOrEqual(2);
    expect(seen).not.toHaveProperty('transform:SLACK');
  });

  it('takes a collection of garbage for no work of its own', async () => {
    const kept = Array.from({ length: 5_000_000 }, (_, index) => ({ index }));
    const before = await stalls();
    during('collect', collectGarbage);
    const after = await stalls();
    expect(kept).toHaveLength(5_000_000);
    expect(after['gc'] ?? 0).toBeGreaterThan(before['gc'] ?? 0);
    expect(after).not.toHaveProperty('collect');
  });

  it('is quiet about work that is short', async () => {
    for (let turn = 0; turn < 100; turn += 1) {
      during('short', () => compute(1));
      await sleep(0);
    }
    expect(await stalls()).not.toHaveProperty('short');
  });
});
