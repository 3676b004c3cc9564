import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalStack, launchStack, removeStack, type TestStackOptions } from '@weir/local';
import { api, basic } from '@weir/testing';
import { cpuSeconds } from './cpu.js';
import { percentile, WITHOUT_RATE_LIMITS } from './load.js';
import { type RawLoadOptions, type RawRequest, rawLoad } from './raw-load.js';
import { figure, throughput } from './report.js';

const SECONDS = 10;
const BATCH_EVENTS = 50;
/** Goals of the intake, with broker and load on the same two cores. Latency is measured at half of each goal. */
const SINGLE_GOAL = 6_000;
const BATCH_GOAL = 50_000;
/** The rest of the pipeline may lag behind. It catches up during this pause, before the next figure. */
const SETTLE_MS = 15_000;
const MICROSECONDS = 1_000_000;

/** The first stack is the one that the goals apply to. The second one also runs everything behind the intake. */
const STACKS: Record<string, TestStackOptions> = {
  'the intake, its broker and the load': { processes: ['gateway.main'] },
  'the whole way': {},
};

/** Sends events as fast as possible to stacks of its own: single events, batches, and both at half of the goal. */
export async function intake(): Promise<void> {
  for (const [name, options] of Object.entries(STACKS)) {
    console.log(`\n${name}`);
    const stack = await launchStack({
      ...options,
      env: WITHOUT_RATE_LIMITS,
    });
    try {
      await measureAll(stack);
    } finally {
      await removeStack(stack);
    }
  }
}

async function measureAll(stack: LocalStack): Promise<void> {
  const requests = await requestsOf(stack);
  await rawLoad({ connections: 16, seconds: 2, make: requests.single });
  await measure(stack, 'single events', 1, { connections: 64, make: requests.single });
  await measure(stack, 'batches of 50', BATCH_EVENTS, { connections: 16, make: requests.batch });
  await latency('single events', SINGLE_GOAL / 2, { connections: 256, make: requests.single });
  await latency('batches of 50', BATCH_GOAL / BATCH_EVENTS / 2, { connections: 64, make: requests.batch });
}

async function requestsOf(stack: LocalStack) {
  const { source } = (await api(stack.address).post('/v2/sources', { name: 'bench', type: 'HTTP', enabled: true }))
    .body;
  const authorization = basic(source.writeKey, '');
  const single = (n: number): RawRequest => ({
    url: `${stack.url}/v1/track`,
    authorization,
    body: JSON.stringify(eventOf(n)),
  });
  const batch = (n: number): RawRequest => ({
    url: `${stack.url}/v1/batch`,
    authorization,
    body: JSON.stringify({ batch: Array.from({ length: BATCH_EVENTS }, (_, i) => eventOf(n * BATCH_EVENTS + i)) }),
  });
  return { single, batch };
}

const eventOf = (n: number) => ({
  type: 'track',
  messageId: `bench-${process.pid}-${n}`,
  userId: `user-${n % 1_000}`,
  event: `Bought ${n % 20}`,
  properties: { price: n, currency: 'EUR', items: [{ sku: `sku-${n % 50}`, quantity: 1 }] },
  context: { library: { name: 'bench', version: '1.0.0' }, locale: 'en' },
});

type Load = Omit<RawLoadOptions, 'seconds'>;

async function measure(stack: LocalStack, name: string, eventsPerRequest: number, load: Load): Promise<void> {
  const programs = stack.programs();
  const before = cpuSeconds(programs);
  const own = process.cpuUsage();
  const result = await rawLoad({ ...load, seconds: SECONDS });
  const after = cpuSeconds(programs);
  throughput(name, result, eventsPerRequest);
  const perEvent = (seconds: number) => (seconds * MICROSECONDS) / (result.requests * eventsPerRequest);
  for (const [program, seconds] of after) {
    figure(`${name}: CPU of ${program} an event`, perEvent(seconds - (before.get(program) ?? 0)), 'µs', 1);
  }
  const { user, system } = process.cpuUsage(own);
  figure(`${name}: CPU of the load an event`, perEvent((user + system) / MICROSECONDS), 'µs', 1);
  await sleep(SETTLE_MS);
}

async function latency(name: string, perSecond: number, load: Load): Promise<void> {
  const { latencies, failed } = await rawLoad({ ...load, perSecond, seconds: SECONDS });
  figure(`${name}: p50 at ${perSecond} requests a second`, percentile(latencies, 0.5), 'ms', 1);
  figure(`${name}: p99 at ${perSecond} requests a second`, percentile(latencies, 0.99), 'ms', 1);
  if (failed > 0) figure(`${name}: not answered with 200`, failed, '');
  await sleep(SETTLE_MS);
}
