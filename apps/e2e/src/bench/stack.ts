import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { api, basic, launchStack, removeStack, until } from '@weir/testing';
import { watchBacklog } from './backlog.js';
import { cpuSeconds } from './cpu.js';
import { DeliverySink } from './delivery-sink.js';
import { load, type Request } from './load.js';
import { figure, latencies } from './report.js';

const SECONDS_DEFAULT = 8;
const BATCH_EVENTS = 50;
const USERS = 1_000;
/** Events still under way after the load have to arrive in this time. */
const DRAIN_MS = 300_000;
/** Programs that take less than this are summed up. */
const SHOWN_MICROSECONDS = 3;
const MICROSECONDS = 1_000_000;

type Stack = Awaited<ReturnType<typeof launchStack>>;

interface Scene {
  stack: Stack;
  sink: DeliverySink;
  sinkUrl: string;
  seconds: number;
}

interface Work {
  name: string;
  /** Events per request. */
  batch: number;
  connections: number;
  users: number;
  /** How long the destination takes to answer, in milliseconds. */
  answerMs?: number;
  /** Seconds of load, as a part of the whole. */
  part?: number;
}

const WORKS: readonly Work[] = [
  { name: 'single events', batch: 1, connections: 32, users: USERS },
  { name: 'batches', batch: BATCH_EVENTS, connections: 32, users: USERS, part: 1 / 2 },
  { name: 'one user', batch: BATCH_EVENTS, connections: 1, users: 1, part: 1 / 8 },
  { name: '100 ms answers', batch: BATCH_EVENTS, connections: 2, users: USERS, answerMs: 100, part: 1 / 4 },
];

/**
 * `npm run bench -- stack --seconds 8 --only "one user"`: the whole stack with a webhook connected. Load and sink share the
 * processor with it. Prints what was accepted and delivered, the processor time per delivered event, and what waited for what.
 */
export async function stack(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, only: { type: 'string' } },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds ?? SECONDS_DEFAULT);
  const started = await launchStack({ env: { INTAKE_SOURCE_EVENTS_PER_SECOND: '1000000' } });
  const sink = new DeliverySink();
  const scene = { stack: started, sink, sinkUrl: await sink.start(), seconds };
  try {
    for (const work of WORKS.filter(({ name }) => !values.only || name === values.only)) await measure(scene, work);
  } finally {
    await sink.close();
    await removeStack(started);
  }
}

async function measure(scene: Scene, work: Work): Promise<void> {
  const { stack: measured, sink, seconds } = scene;
  const { name, batch, connections, part = 1 } = work;
  const path = `/${name.replaceAll(' ', '-')}`;
  const writeKey = await connected(scene, path);
  sink.answerMs = work.answerMs ?? 0;
  const [cpuBefore, startedAt] = [cpuOf(measured), performance.now()];
  const backlog = await watchBacklog(measured.address.natsUrl);
  const make = (n: number) => requestOf(measured, writeKey, work, n);
  const offered = await load({ concurrency: connections, seconds: seconds * part, make });
  const taken = offered.requests * batch;
  await until('everything that was taken', () => sink.arrived(path) >= taken, DRAIN_MS).catch(() => undefined);
  const wall = (performance.now() - startedAt) / 1_000;
  const used = cpuOf(measured);
  figure(`${name}: accepted`, taken / offered.seconds, 'events/s');
  latencies(`${name}: request`, offered.latencies);
  figure(`${name}: delivered`, sink.arrived(path) / wall, 'events/s');
  if (taken !== sink.arrived(path)) figure(`${name}: lost`, taken - sink.arrived(path), '');
  for (const [waits, { mean, max }] of await backlog.stop())
    figure(`${name}: messages that waited ${waits}, mean of ${max} at most`, mean, '', 1);
  reportCpu(name, new Map([...used].map(([one, now]) => [one, now - (cpuBefore.get(one) ?? 0)])), { wall, taken });
}

/** Processor seconds so far of every program of the stack, and of this process without its children. */
function cpuOf(measured: Stack): Map<string, number> {
  const { user, system } = process.cpuUsage();
  return cpuSeconds(measured.programs()).set('load and sink', (user + system) / MICROSECONDS);
}

/** Microseconds of processor time per event, by program, and how busy the machine was by them. */
function reportCpu(name: string, used: ReadonlyMap<string, number>, run: { wall: number; taken: number }): void {
  const perEvent = [...used].map(([one, spent]): [string, number] => [one, (spent * MICROSECONDS) / run.taken]);
  const shown = perEvent.filter(([, each]) => each >= SHOWN_MICROSECONDS).sort(([, a], [, b]) => b - a);
  for (const [one, each] of shown) figure(`${name}: CPU of ${one}`, each, 'us an event');
  const total = [...used.values()].reduce((sum, spent) => sum + spent, 0);
  figure(`${name}: CPU of all`, (total * MICROSECONDS) / run.taken, 'us an event');
  figure(`${name}: processors in use`, total / run.wall, '', 1);
}

/** A source that is connected to a webhook at this path. Resolves when one event has reached it. */
async function connected({ stack: { address }, sink, sinkUrl }: Scene, path: string): Promise<string> {
  const client = api(address);
  const name = `bench ${path}`;
  const { source } = (await client.post('/v2/sources', { name, type: 'HTTP', enabled: true })).body;
  const config = { webhookUrl: sinkUrl + path };
  const { destination } = (await client.post('/v2/destinations', { name, type: 'WEBHOOK', enabled: true, config }))
    .body;
  await client.post('/v2/connections', { sourceId: source.id, destinationId: destination.id, enabled: true });
  await api(address, { writeKey: source.writeKey }).post('/v1/track', eventOf(path, 'warm', 1));
  await until('a first event', () => sink.arrived(path) > 0, DRAIN_MS);
  sink.clear();
  return source.writeKey as string;
}

function requestOf({ url }: Stack, writeKey: string, { name, batch, users }: Work, n: number): Request {
  const events = Array.from({ length: batch }, (_, i) => eventOf(name, n * batch + i, users));
  const body = JSON.stringify(batch === 1 ? events[0] : { batch: events });
  const authorization = basic(writeKey, '');
  return { url: `${url}/v1/${batch === 1 ? 'track' : 'batch'}`, method: 'POST', authorization, body };
}

const eventOf = (name: string, n: number | string, users: number) => ({
  type: 'track',
  messageId: `${name}-${n}`,
  userId: `user-${typeof n === 'number' ? n % users : n}`,
  event: 'Bought',
  properties: { sentAt: Date.now(), price: 12.5, currency: 'EUR', items: [{ sku: 'sku-1', quantity: 1 }] },
  context: { library: { name: 'bench', version: '1.0.0' }, locale: 'en' },
});
