import { expect, it } from '@jest/globals';
import { PATIENCE_MS, type Reply, recordingServer, trackEvent, until, useDatabase, useNats } from '@weir/testing';
import fc from 'fast-check';
import { migrations } from '../src/migrations/index.js';
import { DeliveryScene } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();

const RUNS = process.env['WEIR_TEST_FULL'] ? 30 : 3;
/** A run waits twice. */
const RUN_MS_MAX = 2 * PATIENCE_MS;

const USERS = ['ada', 'bob', 'eve', 'kim'];
/** Replies before the destination takes an event. Each leads to a retry. */
const FAULTS: Reply[] = [{ status: 503 }, { status: 429, headers: { 'retry-after': '0' } }, { reset: 'before' }];

const anEvent = fc.record({
  user: fc.constantFrom(...USERS),
  faults: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray(FAULTS, { maxLength: 2 }) },
  ),
  delayMs: fc.constantFrom(0, 0, 5, 20),
});
const aHistory = fc.record({
  batches: fc.array(fc.array(anEvent, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 12 }),
  /** After this many events have arrived, one of two deliverers leaves and another joins. */
  leavesAfter: fc.nat({ max: 6 }),
});

it(
  'holds for every user and source, through faults, retries and changing deliverers',
  async () => {
    const property = fc.asyncProperty(aHistory, async ({ batches, leavesAfter }) => {
      const events = batches.flat().map((event, n) => ({ ...event, n, faults: [...event.faults] }));
      const server = await recordingServer();
      const scene = new DeliveryScene(database, nats);
      const taken = new Set<number>();
      const early: number[] = [];
      try {
        server.answer(({ json }) => {
          const { n } = (json as { properties: { n: number } }).properties;
          const event = events[n];
          const earlier = events.filter((other) => other.n < n && other.user === event?.user);
          if (earlier.some((other) => !taken.has(other.n))) early.push(n);
          const fault = event?.faults.pop();
          if (!fault) taken.add(n);
          return fault ?? { delayMs: event?.delayMs ?? 0 };
        });
        await scene.webhook(`${server.url}/hook`);
        const leaving = await scene.startDeliverer();
        await scene.startDeliverer();
        let next = 0;
        for (const batch of batches) {
          await scene.accept(batch.map(({ user }) => trackEvent({ userId: user, properties: { n: next++ } })));
        }
        await until('some events', () => taken.size > Math.min(leavesAfter, events.length - 1));
        await leaving.close();
        await scene.startDeliverer();
        await until('every event', () => taken.size === events.length);
        await scene.drained();
        expect(early).toEqual([]);
        expect(await scene.letters()).toEqual([]);
      } finally {
        await scene.close();
        await server.close();
      }
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  },
  RUNS * RUN_MS_MAX,
);
