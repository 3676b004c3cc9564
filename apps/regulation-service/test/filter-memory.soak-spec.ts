import { afterEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { EVENTS_ACCEPTED, EVENTS_RAW } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  memoryLimitOf,
  patientManager,
  peakBytes,
  type ServiceProcess,
  startProcess,
  useDatabase,
  useNats,
  whileAlive,
} from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { takeIn, untilFiltered } from './filter.fixtures.js';
import { PEPPER, workspaceOf } from './fixtures.js';

const MIB = 1_048_576;
const LIMIT_BYTES = memoryLimitOf('filter');
/** The young generation that every deployment sets. In a container of that size, Node would choose a larger heap. */
const FLAGS = ['--max-old-space-size=192', '--max-semi-space-size=8'];
const EVENT_BYTES = 500_000;
const BACKLOG_BYTES = 120 * MIB;
/** Time to filter the backlog that one write key can build up in a minute. */

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
let filter: ServiceProcess | undefined;
afterEach(() => filter?.stop());

/** Events of EVENT_BYTES as JSON: a single text, and a list that takes the most memory when parsed. */
const EVENTS: JsonObject[] = [
  { type: 'track', event: 'Seen', userId: 'eve', properties: { text: 'x'.repeat(EVENT_BYTES) } },
  { type: 'track', event: 'Seen', userId: 'eve', properties: { list: Array(Math.ceil(EVENT_BYTES / 3)).fill({}) } },
];

describe('a backlog of large events', () => {
  it('goes through under the memory that the chart allows, and the process lives', async () => {
    const { workspaceId, create } = workspaceOf(db.dataSource);
    await create({ users: [{ userId: 'ada' }] });
    const sources = Array.from({ length: 32 }, () => ({ workspaceId, sourceId: newKsuid() }));
    const count = Math.ceil(BACKLOG_BYTES / EVENT_BYTES);
    for (let n = 0; n < count; n += 1) {
      const source = sources[n % sources.length] as (typeof sources)[number];
      // Each source gets both kinds. A suppressed user beside an allowed one makes the filter rewrite the batch.
      const event = EVENTS[Math.floor(n / sources.length) % EVENTS.length] as JsonObject;
      await takeIn(nats.connection, source, event, { type: 'track', event: 'Seen', userId: 'ada' });
    }
    const manager = await patientManager(nats.connection);
    expect((await manager.streams.info(EVENTS_RAW)).state.bytes).toBeGreaterThan(BACKLOG_BYTES);

    const env = { DATABASE_URL: db.url, NATS_URL: nats.url, REGULATION_PEPPER: PEPPER, LOG_LEVEL: 'info' };
    filter = await startProcess('regulation-service.filter', env, FLAGS);
    await whileAlive(filter, untilFiltered(nats.connection));
    expect(peakBytes(filter)).toBeLessThan(LIMIT_BYTES);
    const { state } = await manager.streams.info(EVENTS_ACCEPTED);
    expect(state.bytes).toBeGreaterThan(BACKLOG_BYTES);
  });
});
