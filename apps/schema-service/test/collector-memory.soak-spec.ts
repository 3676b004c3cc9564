import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EVENT_BYTES_MAX, type EventBatch, type JsonObject } from '@weir/contracts';
import { EVENTS_ACCEPTED, StreamPublisher } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  eventBatch,
  memoryLimitOf,
  patientManager,
  peakBytes,
  type ServiceProcess,
  trackEvent,
  until,
  useDatabase,
  useNats,
  whileAlive,
} from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { accept, startCollector } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();

const MIB = 1_048_576;
const MEMORY_MAX = memoryLimitOf('collector');
/** Half of the memory, which Node takes for its heap. */
const HEAP_FLAG = '--max-old-space-size=384';
const BACKLOG_BYTES = 250 * MIB;
const EVENT_BYTES = 500_000;
const EVENTS = Math.ceil(BACKLOG_BYTES / EVENT_BYTES);
const THROUGH_MS = 240_000;
/** About one per partition. */
const SOURCES = Array.from({ length: 16 }, () => newKsuid());
const WORKSPACE = newKsuid();

let collector: ServiceProcess | undefined;
beforeEach(async () => {
  const { streams } = await patientManager(nats.connection);
  await streams.update(EVENTS_ACCEPTED, { max_bytes: 4_096 * MIB });
});
afterEach(() => collector?.stop());

/**
 * The events that take the most memory once read: many short values, too many to be modelled, or kept values in unique shapes.
 */
function large(n: number): JsonObject {
  const keys = n % 2 === 0 ? 8_000 : 900;
  const value = (key: number) => (n % 2 === 0 ? key : `${n} ${key} ${'x'.repeat(220)}`);
  const values = Object.fromEntries(Array.from({ length: keys }, (_, key) => [`key-${n % 50}-${key}`, value(key)]));
  const event = (pad: string) => trackEvent({ userId: `u${n}`, event: `Event ${n % 7}`, properties: { values, pad } });
  return event('x'.repeat(Math.min(EVENT_BYTES, EVENT_BYTES_MAX) - JSON.stringify(event('')).length));
}

const batchOf = (n: number): EventBatch =>
  eventBatch({
    workspaceId: WORKSPACE,
    sourceId: SOURCES[n % SOURCES.length] ?? '',
    writeKey: `wk${n % SOURCES.length}`,
    events: [large(n)],
  });

async function left(): Promise<number> {
  const { consumers } = await patientManager(nats.connection);
  let count = 0;
  for await (const { name, num_pending, num_ack_pending } of consumers.list(EVENTS_ACCEPTED)) {
    if (name.startsWith('collector-')) count += num_pending + num_ack_pending;
  }
  return count;
}

it(
  'a collector gets through a backlog of large events within the memory that the chart gives it',
  async () => {
    const publisher = new StreamPublisher(nats.connection);
    for (let n = 0; n < EVENTS; n += 1) await accept(publisher, batchOf(n));
    collector = await startCollector({ databaseUrl: database.url, natsUrl: nats.url }, [HEAP_FLAG]);
    await whileAlive(
      collector,
      until('everything to be read', async () => (await left()) === 0, THROUGH_MS),
    );
    const [{ total, letters }] = await database.dataSource.query(
      `SELECT (SELECT sum(total_count)::int FROM models) AS total, (SELECT count(*)::int FROM dead_letters) AS letters`,
    );
    expect([total, letters]).toEqual([Math.floor(EVENTS / 2), 0]);
    expect(peakBytes(collector)).toBeLessThan(MEMORY_MAX);
  },
  THROUGH_MS + 60_000,
);
