import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { api, basic, until } from '@weir/testing';
import { cpuSeconds } from './cpu.js';
import { DeliverySink } from './delivery-sink.js';
import { send } from './load.js';
import { figure, latencies } from './report.js';

const SECONDS_DEFAULT = 10;
/** Goals of the delivery engine on two cores, with everything on one machine. */
const SUSTAINED_RATE = 2_000;
const LATENCY_RATE = 500;
const BATCH_EVENTS = 20;
const DESTINATIONS = 10;
const USERS = 1_000;
/** Events per second for each of ten destinations. */
const ISOLATION_RATE = 60;
/** Interval at which requests are due. */
const PACE_MS = 20;
/** Events still under way after the load have to arrive in this time. */
const DRAIN_MS = 120_000;
const MICROSECONDS = 1_000_000;
const CODE = 'export function transformEvent(event) { event.bench = true; return event; }';

interface Scene {
  stack: LocalStack;
  sink: DeliverySink;
  sinkUrl: string;
  seconds: number;
}

/** `npm run bench -- delivery --seconds 120 --traces 0`: from intake through code to local webhooks, here without traces. */
export async function delivery(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, traces: { type: 'string' } },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds ?? SECONDS_DEFAULT);
  const stack = await launchStack({ env: values.traces === undefined ? {} : { TRACES_PER_SECOND: values.traces } });
  const sink = new DeliverySink();
  const scene = { stack, sink, sinkUrl: await sink.start(), seconds };
  try {
    await sustained(scene);
    await quick(scene);
    await isolated(scene);
  } finally {
    await sink.close();
    await removeStack(stack);
  }
}

/** A sustained rate: no event is lost, and none waits once the load ends. */
async function sustained(scene: Scene): Promise<void> {
  const source = await connected(scene, ['/sustained']);
  const name = `${SUSTAINED_RATE} events/s in batches of ${BATCH_EVENTS}`;
  const before = cpuSeconds(scene.stack.programs());
  const offered = await offer(scene, source, { rate: SUSTAINED_RATE, batch: BATCH_EVENTS });
  await report(scene, name, '/sustained', offered);
  for (const [program, seconds] of cpuSeconds(scene.stack.programs())) {
    const used = seconds - (before.get(program) ?? 0);
    figure(`${name}: CPU of ${program} an event`, (used * MICROSECONDS) / offered.taken, 'µs', 1);
  }
}

async function quick(scene: Scene): Promise<void> {
  const source = await connected(scene, ['/quick']);
  const offered = await offer(scene, source, { rate: LATENCY_RATE, batch: 1 });
  await report(scene, `${LATENCY_RATE} events/s one by one`, '/quick', offered);
}

/** Throughput of nine destinations, with and without a tenth that never answers. */
async function isolated(scene: Scene): Promise<void> {
  const paths = Array.from({ length: DESTINATIONS }, (_, n) => `/isolated-${n}`);
  const [first = ''] = paths;
  const source = await connected(scene, paths);
  const others = () => scene.sink.arrived('/isolated-') - (scene.sink.latencies.get(first)?.length ?? 0);
  const measured: number[] = [];
  for (const hangs of [false, true]) {
    scene.sink.clear();
    if (hangs) scene.sink.hanging.add(first);
    await offer(scene, source, { rate: ISOLATION_RATE, batch: 1 });
    measured.push(others() / scene.seconds);
    if (!hangs)
      await until('the others', () => others() >= ISOLATION_RATE * scene.seconds * 9, DRAIN_MS).catch(() => 0);
  }
  const [well = 0, beside = 0] = measured;
  figure('nine destinations, all well', well, '/s');
  figure('nine destinations, beside one that hangs', beside, '/s');
  figure('nine destinations, lost by it', (1 - beside / well) * 100, '%', 1);
}

/** Creates a source whose events pass through code to webhooks at these paths. Resolves when one event has reached each. */
async function connected({ stack, sink, sinkUrl }: Scene, paths: string[]): Promise<string> {
  const client = api(stack.address);
  const name = `bench ${paths[0]}`;
  const { source } = (await client.post('/v2/sources', { name, type: 'HTTP', enabled: true })).body;
  const destinationIds: string[] = [];
  for (const path of paths) {
    const body = { name: `${name} ${path}`, type: 'WEBHOOK', enabled: true, config: { webhookUrl: sinkUrl + path } };
    const { id } = (await client.post('/v2/destinations', body)).body.destination;
    await client.post('/v2/connections', { sourceId: source.id, destinationId: id, enabled: true });
    destinationIds.push(id);
  }
  await client.post('/transformations?publish=true', { name, code: CODE, destinationIds });
  const intake = api(stack.address, { writeKey: source.writeKey });
  await intake.post('/v1/track', eventOf(0, `warm ${paths[0]}`));
  await until('a first event', () => paths.every((path) => sink.arrived(path) > 0), DRAIN_MS);
  sink.clear();
  return source.writeKey as string;
}

/** Rotates the users, so that no lane is much longer than another. */
const eventOf = (n: number, run: string) => ({
  type: 'track',
  messageId: `${run}-${n}`,
  userId: `user-${n % USERS}`,
  event: 'Bought',
  properties: { sentAt: Date.now(), price: 12.5, currency: 'EUR', items: [{ sku: 'sku-1', quantity: 1 }] },
  context: { library: { name: 'bench', version: '1.0.0' }, locale: 'en' },
});

interface Offered {
  /** Events that the intake accepted. */
  taken: number;
  refused: number;
  seconds: number;
}

/** Sends events at a fixed rate, whatever happens to earlier ones. */
async function offer(
  { stack, seconds }: Scene,
  writeKey: string,
  load: { rate: number; batch: number },
): Promise<Offered> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const target = { url: `${stack.url}/v1/batch`, method: 'POST' as const, authorization: basic(writeKey, '') };
  const offered = { taken: 0, refused: 0, seconds: 0 };
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  const run = `${writeKey.slice(0, 6)}-${Math.round(startedAt)}`;
  const requests = Math.floor((load.rate * seconds) / load.batch);
  for (let sent = 0; sent < requests; ) {
    const due = ((performance.now() - startedAt) / 1_000) * (load.rate / load.batch);
    for (; sent < Math.min(due, requests); sent += 1) {
      const batch = Array.from({ length: load.batch }, (_, n) => eventOf(sent * load.batch + n, run));
      const request = send(agent, { ...target, body: JSON.stringify({ batch }) })
        .catch(() => 0)
        .then((status) => {
          if (status === 200) offered.taken += load.batch;
          else offered.refused += load.batch;
        });
      underWay.add(request);
      void request.finally(() => underWay.delete(request));
    }
    await sleep(PACE_MS);
  }
  await Promise.all(underWay);
  agent.destroy();
  return { ...offered, seconds: (performance.now() - startedAt) / 1_000 };
}

async function report(
  { sink }: Scene,
  name: string,
  path: string,
  { taken, refused, seconds }: Offered,
): Promise<void> {
  const inTime = sink.arrived(path);
  const endedAt = performance.now();
  await until('everything that was taken', () => sink.arrived(path) >= taken, DRAIN_MS).catch(() => undefined);
  figure(`${name}: taken`, taken / seconds, '/s');
  figure(`${name}: delivered meanwhile`, inTime / seconds, '/s');
  figure(`${name}: lag back to zero after`, (performance.now() - endedAt) / 1_000, 's', 1);
  figure(`${name}: lost`, taken - sink.arrived(path), '');
  if (refused > 0) figure(`${name}: refused`, refused, '');
  if (sink.duplicates > 0) figure(`${name}: delivered twice`, sink.duplicates, '');
  latencies(
    name,
    (sink.latencies.get(path) ?? []).sort((a, b) => a - b),
  );
}
