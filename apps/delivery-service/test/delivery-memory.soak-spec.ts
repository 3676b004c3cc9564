import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EVENT_BYTES_MAX, type JsonObject } from '@weir/contracts';
import { DELIVERIES, EVENTS_ACCEPTED } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  memoryLimitOf,
  patientManager,
  peakBytes,
  type ServiceProcess,
  startProcess,
  trackEvent,
  until,
  useDatabase,
  useNats,
  whileAlive,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DeliveryScene } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();

const MIB = 1_048_576;
const MEMORY_MAX = memoryLimitOf('deliverer');
/** Half of the limit, as Node's default heap would be. */
const HEAP_FLAG = '--max-old-space-size=384';
const BACKLOG_BYTES = 240 * MIB;
const EVENT_BYTES = 500_000;
const EVENTS = Math.ceil(BACKLOG_BYTES / EVENT_BYTES);
const THROUGH_MS = 240_000;

let scene: DeliveryScene;
let server: Server;
let deliverer: ServiceProcess | undefined;
/** Event numbers by path, in order of arrival, without refused ones. */
const taken = new Map<string, number[]>();
const at = (path: string) => taken.get(path) ?? [];
let statusOf: (path: string, n: number) => number = () => 200;

beforeEach(async () => {
  scene = new DeliveryScene(database, nats);
  taken.clear();
  // discards the bodies, which would fill the memory of the test
  server = createServer((request, response) => {
    let head = '';
    request.on('data', (chunk: Buffer) => {
      if (head.length < 2_000) head += chunk.toString('latin1');
    });
    request.on('end', () => {
      const path = request.url ?? '';
      const n = Number(/"n":(\d+)/.exec(head)?.[1]);
      const status = statusOf(path, n);
      if (status === 200) taken.set(path, [...at(path), n]);
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  const { streams } = await patientManager(nats.connection);
  for (const name of [DELIVERIES, EVENTS_ACCEPTED]) await streams.update(name, { max_bytes: 4_096 * MIB });
});
afterEach(async () => {
  await deliverer?.stop();
  await scene.close();
  server.close();
});

const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** Many short values take the most memory once parsed. More would be refused (EVENT_NODES_MAX, OBJECT_KEYS_MAX). */
function large(n: number, userId: string): JsonObject {
  const keys = Object.fromEntries(Array.from({ length: 1_000 }, (_, key) => [`key-${key}`, key]));
  const values = Array.from({ length: 8 }, () => keys);
  const event = trackEvent({ userId, properties: { n, values, pad: '' } });
  const pad = 'x'.repeat(Math.min(EVENT_BYTES, EVENT_BYTES_MAX) - JSON.stringify(event).length);
  return trackEvent({ userId, properties: { n, values, pad } });
}

it(
  'a deliverer gets through a backlog of large events within the memory that the chart gives it',
  async () => {
    const sources = Array.from({ length: 16 }, () => newKsuid());
    const { id } = await scene.webhook(url('/fine'));
    for (const sourceId of sources) await scene.connectSource(sourceId, id);
    for (let n = 0; n < EVENTS; n += 1) {
      await scene.accept([large(n, `u${n % 20}`)], { sourceId: sources[n % sources.length] ?? '' });
    }
    deliverer = await startProcess('delivery-service.deliverer', scene.environment(), [HEAP_FLAG]);
    const through = until('every event to arrive', () => new Set(at('/fine')).size === EVENTS, THROUGH_MS);
    await whileAlive(deliverer, through);
    expect(await scene.letters()).toEqual([]);
    expect(peakBytes(deliverer)).toBeLessThan(MEMORY_MAX);
  },
  THROUGH_MS + 60_000,
);

it(
  'a destination with an event in retry goes on while another one is down with a large backlog, which keeps its order',
  async () => {
    const [down, fine] = [await scene.webhook(url('/down')), await scene.webhook(url('/fine'))];
    const [toDown, toFine] = [newKsuid(), newKsuid()];
    await scene.connectSource(toDown, down.id);
    await scene.connectSource(toFine, fine.id);
    let isDown = true;
    let isStuck = true;
    statusOf = (path, n) => ((path === '/down' ? isDown : isStuck && n === 0) ? 503 : 200);
    deliverer = await startProcess('delivery-service.deliverer', scene.environment(), [HEAP_FLAG]);
    await scene.accept([trackEvent({ userId: 'stuck', properties: { n: 0 } })], { sourceId: toFine });
    const count = Math.ceil((160 * MIB) / EVENT_BYTES);
    for (let n = 0; n < count; n += 1) await scene.accept([large(n, `u${n % 5}`)], { sourceId: toDown });
    for (let n = 1; n <= 30; n += 1) await scene.accept([large(n, `user-${n}`)], { sourceId: toFine });
    const others = until('everything but the one in retry', () => new Set(at('/fine')).size === 30);
    await whileAlive(deliverer, others);
    expect(at('/fine')).not.toContain(0);
    [isDown, isStuck] = [false, false];
    await whileAlive(
      deliverer,
      until('what waited', () => new Set(at('/down')).size === count, THROUGH_MS),
    );
    await until('the one in retry', () => at('/fine').includes(0), THROUGH_MS);
    for (let user = 0; user < 5; user += 1) {
      const numbers = [...new Set(at('/down'))].filter((n) => n % 5 === user);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    expect(peakBytes(deliverer)).toBeLessThan(MEMORY_MAX);
  },
  2 * THROUGH_MS,
);
