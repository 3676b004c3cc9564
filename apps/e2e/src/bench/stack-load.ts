import { performance } from 'node:perf_hooks';
import type { LocalStack } from '@weir/local';
import { api, basic, until } from '@weir/testing';
import { cpuSeconds } from './cpu.js';
import type { DeliverySink } from './delivery-sink.js';
import { type LoadResult, load, type Request } from './load.js';

/** Events still under way after the load have to arrive in this time. */
const DRAIN_MS = 300_000;
export const MICROSECONDS = 1_000_000;

export interface Scene {
  stack: LocalStack;
  sink: DeliverySink;
  sinkUrl: string;
  seconds: number;
  /** Over how many partitions each source is spread. */
  partitions: number;
}

export interface Work {
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

export interface Done {
  path: string;
  offered: LoadResult;
  /** Events that were accepted, and until all of them had arrived or the time was over. */
  taken: number;
  wall: number;
  /** Processor seconds of each program of the stack, and of this process without its children. */
  used: Map<string, number>;
}

/** Offers the work to a new source that is connected to a webhook, and waits until everything has arrived. */
export async function offer(scene: Scene, work: Work): Promise<Done> {
  const { stack, sink, seconds } = scene;
  const { name, batch, connections, part = 1 } = work;
  const path = `/${name.replaceAll(' ', '-')}`;
  const writeKey = await connected(scene, path);
  sink.answerMs = work.answerMs ?? 0;
  const [before, startedAt] = [cpuOf(stack), performance.now()];
  const make = (n: number) => requestOf(stack, writeKey, work, n);
  const offered = await load({ concurrency: connections, seconds: seconds * part, make });
  const taken = offered.requests * batch;
  await until('everything that was taken', () => sink.arrived(path) >= taken, DRAIN_MS).catch(() => undefined);
  const wall = (performance.now() - startedAt) / 1_000;
  const used = new Map([...cpuOf(stack)].map(([one, now]) => [one, now - (before.get(one) ?? 0)]));
  return { path, offered, taken, wall, used };
}

function cpuOf(stack: LocalStack): Map<string, number> {
  const { user, system } = process.cpuUsage();
  return cpuSeconds(stack.programs()).set('load and sink', (user + system) / MICROSECONDS);
}

/** A source that is connected to a webhook at this path. Resolves when one event has reached it. */
export async function connected(
  { stack: { address }, sink, sinkUrl, partitions }: Scene,
  path: string,
): Promise<string> {
  const client = api(address);
  const name = `bench ${path}`;
  const { source } = (await client.post('/v2/sources', { name, type: 'HTTP', enabled: true, partitions })).body;
  const config = { webhookUrl: sinkUrl + path };
  const { destination } = (await client.post('/v2/destinations', { name, type: 'WEBHOOK', enabled: true, config }))
    .body;
  await client.post('/v2/connections', { sourceId: source.id, destinationId: destination.id, enabled: true });
  await api(address, { writeKey: source.writeKey }).post('/v1/track', eventOf(path, 'warm', 1));
  await until('a first event', () => sink.arrived(path) > 0, DRAIN_MS);
  sink.clear();
  return source.writeKey as string;
}

/** One request of the work, with events that no other number has. */
export function requestOf({ url }: LocalStack, writeKey: string, { name, batch, users }: Work, n: number): Request {
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
