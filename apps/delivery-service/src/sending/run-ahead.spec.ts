import { expect, it } from '@jest/globals';
import { traceOf } from '@weir/messaging';
import { HeldBatch } from './held-batch.js';
import { RunAhead } from './run-ahead.js';

const HALF_BYTES = 524_288;
const hand = { subject: 'deliveries.any', trace: traceOf(undefined), ack: () => undefined, working: () => undefined };
const message = (sequence: number) => new HeldBatch(hand, sequence, HALF_BYTES);

const eventsOf = (held: HeldBatch, events: number) => {
  held.begin([{ batchId: `batch ${held.sequence}`, at: 0, events }]);
  return held.unqueued.map((ref) => ({ held, ref }));
};

it('a message counts whole, once, and until none of its events is near its turn', () => {
  let told = 0;
  const ahead = new RunAhead(() => {
    told += 1;
  });
  const [first, second] = [message(1), message(2)];
  const [events, others] = [eventsOf(first, 50), eventsOf(second, 1)];
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
