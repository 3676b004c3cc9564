import { expect, it } from '@jest/globals';
import { traceOf } from '@weir/messaging';
import { HeldBatch } from './held-batch.js';
import { RunAhead } from './run-ahead.js';

const HALF_BYTES = 524_288;
const hand = { subject: 'deliveries.any', trace: traceOf(undefined), ack: () => undefined, working: () => undefined };
const message = (sequence: number) => new HeldBatch(hand, sequence, HALF_BYTES);

it('a message counts whole, once, and until none of its events is near its turn', () => {
  let told = 0;
  const ahead = new RunAhead(() => {
    told += 1;
  });
  const [first, second] = [message(1), message(2)];
  for (let event = 0; event < 50; event += 1) ahead.near(first);
  expect(ahead.isFull).toBe(false);
  ahead.near(second);
  expect(ahead.isFull).toBe(true);
  for (let event = 0; event < 49; event += 1) ahead.noLongerNear(first);
  expect([ahead.isFull, told]).toEqual([true, 0]);
  ahead.noLongerNear(first);
  expect([ahead.isFull, told]).toEqual([false, 1]);
});
