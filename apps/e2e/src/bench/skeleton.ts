import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { api, basic, type RecordingServer, recordingServer, until } from '@weir/testing';
import { load, type Request } from './load.js';
import { figure, latencies, throughput } from './report.js';

const SECONDS = 8;
const BATCH_EVENTS = 50;
/** A rate that the whole pipeline handles easily, so that latency is measured and not queueing. */
const LATENCY_EVENTS = 500;
const LATENCY_GAP_MS = 10;
const MIB = 1_048_576;

/** Measures intake, the whole pipeline to a webhook, a read through the gateway, and memory, on a stack of its own. */
export async function skeleton(): Promise<void> {
  const stack = await launchStack();
  const hook = await recordingServer();
  try {
    memory(stack, 'idle');
    const { writeKey, destinationId } = await connect(stack, hook);
    await measureReads(stack);
    await measureLatency(stack, hook, writeKey);
    // From here on the destination is off. The rest measures only intake, filter and collector.
    await api(stack.address).put(`/v2/destinations/${destinationId}`, destination(hook, false));
    await measureIntake(stack, writeKey);
    memory(stack, 'after load');
  } finally {
    await hook.close();
    await removeStack(stack);
  }
}

const destination = (hook: RecordingServer, enabled: boolean) => ({
  name: 'bench',
  type: 'WEBHOOK',
  enabled,
  config: { webhookUrl: `${hook.url}/hook` },
});

async function connect(stack: LocalStack, hook: RecordingServer) {
  const client = api(stack.address);
  const { source } = (await client.post('/v2/sources', { name: 'bench', type: 'HTTP', enabled: true })).body;
  const made = (await client.post('/v2/destinations', destination(hook, true))).body.destination;
  await client.post('/v2/connections', { sourceId: source.id, destinationId: made.id, enabled: true });
  const code = 'export function transformEvent(event) { event.bench = true; return event; }';
  await client.post('/transformations?publish=true', { name: 'bench', code, destinationIds: [made.id] });
  return { writeKey: source.writeKey as string, destinationId: made.id as string };
}

const eventOf = (n: number) => ({
  userId: `user-${n % 1_000}`,
  event: `Bought ${n % 20}`,
  properties: { price: n, currency: 'EUR', items: [{ sku: `sku-${n % 50}`, quantity: 1 }] },
  context: { library: { name: 'bench', version: '1.0.0' }, locale: 'en' },
});

async function measureReads(stack: LocalStack): Promise<void> {
  const make = (): Request => ({
    url: `${stack.url}/transformations`,
    method: 'GET',
    authorization: `Bearer ${stack.address.accessToken}`,
  });
  const one = await load({ concurrency: 1, seconds: SECONDS / 2, make });
  latencies('GET /transformations, one at a time', one.latencies);
  throughput('GET /transformations, 32 at a time', await load({ concurrency: 32, seconds: SECONDS / 2, make }));
}

async function measureLatency(stack: LocalStack, hook: RecordingServer, writeKey: string): Promise<void> {
  const client = api(stack.address, { writeKey });
  await client.post('/v1/track', eventOf(0));
  await until('the first event to arrive', () => hook.requests.length > 0, 15_000);
  hook.clear();
  const sentAt = new Map<string, number>();
  for (let n = 0; n < LATENCY_EVENTS; n += 1) {
    const messageId = `latency-${n}`;
    sentAt.set(messageId, Date.now());
    void client.post('/v1/track', { ...eventOf(n), messageId });
    await sleep(LATENCY_GAP_MS);
  }
  const arrived = await hook.received(LATENCY_EVENTS, 30_000);
  const taken = arrived.map(({ json, at }) => at - (sentAt.get((json as { messageId: string }).messageId) ?? at));
  latencies(
    `intake to webhook, ${1_000 / LATENCY_GAP_MS} events/s`,
    taken.sort((a, b) => a - b),
  );
}

async function measureIntake(stack: LocalStack, writeKey: string): Promise<void> {
  const authorization = basic(writeKey, '');
  const single = (n: number): Request => ({
    url: `${stack.url}/v1/track`,
    method: 'POST',
    authorization,
    body: JSON.stringify(eventOf(n)),
  });
  throughput('intake, single events', await load({ concurrency: 64, seconds: SECONDS, make: single }));
  const batch = (n: number): Request => ({
    url: `${stack.url}/v1/batch`,
    method: 'POST',
    authorization,
    body: JSON.stringify({
      batch: Array.from({ length: BATCH_EVENTS }, (_, i) => ({ type: 'track', ...eventOf(n * BATCH_EVENTS + i) })),
    }),
  });
  throughput('intake, batches of 50', await load({ concurrency: 16, seconds: SECONDS, make: batch }), BATCH_EVENTS);
}

function memory(stack: LocalStack, when: string): void {
  const rss = Object.entries(stack.rss());
  for (const [name, bytes] of rss) figure(`resident ${when}: ${name}`, bytes / MIB, 'MiB');
  figure(`resident ${when}: all Node processes`, rss.reduce((sum, [, bytes]) => sum + bytes, 0) / MIB, 'MiB');
}
