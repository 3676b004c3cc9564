import { expect, it } from '@jest/globals';
import type { DeliveryPart } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { StandIns, trackEvent, useDatabase, useNats } from '@weir/testing';
import { DeadLetterWriter } from '../src/dead-letters/dead-letter-writer.js';
import { migrations } from '../src/migrations/index.js';
import type { Outcomes } from '../src/outcomes/outcomes.js';
import { Endings } from '../src/sending/endings.js';
import { Overflow } from '../src/sending/overflow.js';
import type { Traces } from '../src/traces/traces.js';
import { checkOn } from './check-fixtures.js';
import { lettersIn } from './letters.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();

/** Destinations that overflow concurrently, each with one call's events at a time. */
const DESTINATIONS = 4;
const CALLS = 5;
const PARTS = 100;
const EVENTS = 25;
const ALL = DESTINATIONS * CALLS * PARTS * EVENTS;

const partOf = (sourceId: string): DeliveryPart => ({
  batchId: newKsuid(),
  sourceId,
  receivedAt: new Date().toISOString(),
  events: Array.from({ length: EVENTS }, (_, n) => trackEvent({ userId: `user-${n}`, properties: { n } })),
});

it('writes what overflows in bulk: every event once', async () => {
  const standIns = new StandIns(nats.connection);
  const counted = new Map<string, number>();
  const outcomes = {
    count: (_: unknown, outcome: string, events = 1) => counted.set(outcome, (counted.get(outcome) ?? 0) + events),
  } as unknown as Outcomes;
  const traces = { buried: () => undefined } as unknown as Traces;
  const { dataSource } = database;
  const writer = new DeadLetterWriter(lettersIn(dataSource));
  const overflow = new Overflow(new Endings(checkOn(nats.connection), writer, outcomes, traces), outcomes, traces);
  const workspaceId = newKsuid();
  const sourceId = newKsuid();
  const calls = Array.from({ length: DESTINATIONS }, () =>
    Array.from({ length: CALLS }, () => Array.from({ length: PARTS }, () => partOf(sourceId))),
  );
  const startedAt = performance.now();
  await Promise.all(
    calls.map(async (ofDestination) => {
      const owner = { workspaceId, destinationId: newKsuid() };
      for (const parts of ofDestination) await overflow.bury(owner, parts);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${Math.round(ALL / seconds)} dead letters/s\n`);
  const [{ letters }] = await dataSource.query<[{ letters: number }]>(
    'SELECT count(*)::int AS letters FROM dead_letters',
  );
  expect([letters, counted.get('dead')]).toEqual([ALL, ALL]);
  standIns.stop();
});
