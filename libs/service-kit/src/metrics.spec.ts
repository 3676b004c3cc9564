import { expect, it } from '@jest/globals';
import { Periodic } from '@weir/messaging';
import { Metrics } from './metrics.js';

it('counts the failed turns of periodic work, beginning with 0', async () => {
  const metrics = new Metrics('test');
  const run = () => Promise.reject(new Error('away'));
  const periodic = new Periodic({ task: 'reach it', everyMs: 1_000, run, log: { warn: () => undefined } });
  const shown = async () =>
    (await metrics.text()).match(/weir_periodic_failures_total\{task="reach it".*\} (\d+)/)?.[1];
  expect(await shown()).toBe('0');
  await periodic.run();
  await periodic.run();
  expect([await shown(), await shown()]).toEqual(['2', '2']);
});

it('shows a counter at 0 for what an alert waits for', async () => {
  const metrics = new Metrics('test');
  metrics.counter({ name: 'lost_total', help: 'Lost things', labelNames: ['kind'], zeros: [{ kind: 'key' }] });
  expect(await metrics.text()).toMatch(/^lost_total\{kind="key".*\} 0$/m);
});
