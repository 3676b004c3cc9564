import { describe, expect, it } from '@jest/globals';
import type { StreamMessage } from '@weir/messaging';
import type { DestinationPart } from './delivery-unit.js';
import { HeldBatch, progressOf } from './held-batch.js';

const part = (batchId: string, count: number) =>
  ({ batchId, events: Array.from({ length: count }, (_, n) => ({ n })) }) as unknown as DestinationPart;
const message = { data: new Uint8Array(7) } as StreamMessage;
const positions = (held: HeldBatch) => held.open.map(({ part: { part: one }, index }) => `${one.batchId}.${index}`);

describe('HeldBatch', () => {
  it('is done when all events of all parts are', () => {
    const held = new HeldBatch(message, [part('a', 1), part('b', 2)]);
    expect(positions(held)).toEqual(['a.0', 'b.0', 'b.1']);
    for (const { part: one, index } of held.open) {
      expect(held.isDone).toBe(false);
      held.done(one, index);
      held.done(one, index);
    }
    expect([held.isDone, held.bytes, positions(held)]).toEqual([true, 7, []]);
  });

  it('leaves out what was done before', () => {
    const held = new HeldBatch(message, [part('a', 3), part('b', 1)], new Map([['a', [0, 2]]]));
    expect(positions(held)).toEqual(['a.1', 'b.0']);
    expect([held.unsaved, held.savedIds]).toEqual([[], ['a']]);
  });

  it('knows what is to be written down', () => {
    const held = new HeldBatch(message, [part('a', 2), part('b', 2)]);
    const [first] = held.open;
    if (first) held.done(first.part, first.index);
    expect(held.unsaved.map(progressOf)).toEqual([{ batchId: 'a', done: [0] }]);
    expect(held.savedIds).toEqual([]);
  });

  it('that was done altogether before has nothing to do', () => {
    expect(new HeldBatch(message, [part('a', 1)], new Map([['a', [0]]])).isDone).toBe(true);
  });
});
