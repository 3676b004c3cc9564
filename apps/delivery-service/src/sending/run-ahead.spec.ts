import { expect, it } from '@jest/globals';
import { HeldBatch, type Hold, type Home } from './held-batch.js';
import { RunAhead } from './run-ahead.js';

const HALF_BYTES = 524_288;
const batch = (events: number) =>
  new HeldBatch({} as Home, {} as Hold, HALF_BYTES, [{ batchId: `batch of ${events}`, at: 0, events }]);
const eventsOf = (held: HeldBatch) => held.unqueued.map((ref) => ({ held, ref }));

it('a batch counts whole, once, and until none of its events is near its turn', () => {
  let told = 0;
  const ahead = new RunAhead(() => {
    told += 1;
  });
  const [first, second] = [batch(50), batch(1)];
  const [events, others] = [eventsOf(first), eventsOf(second)];
  for (const event of events) ahead.near(event);
  expect(ahead.isFull).toBe(false);
  for (const event of others) ahead.near(event);
  expect(ahead.isFull).toBe(true);
  for (const event of events.slice(1)) ahead.noLongerNear(event);
  expect([ahead.isFull, told, ahead.needs(first)]).toEqual([true, 0, true]);
  expect([...ahead.nearIn(first)]).toEqual([events[0]?.ref]);
  for (const event of events) ahead.noLongerNear(event);
  expect([ahead.isFull, told, ahead.needs(first)]).toEqual([false, 1, false]);
});
