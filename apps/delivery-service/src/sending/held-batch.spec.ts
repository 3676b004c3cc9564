import { describe, expect, it } from '@jest/globals';
import { HeldBatch, type Hold, type Home } from './held-batch.js';

function heldOf(parts: [string, number][], doneBefore?: Map<string, number[]>): HeldBatch {
  const heads = parts.map(([batchId, events], at) => ({ batchId, at, events }));
  return new HeldBatch({} as Home, {} as Hold, 7, heads, doneBefore);
}
const positions = (held: HeldBatch) => held.unqueued.map(({ part, index }) => `${part.batchId}.${index}`);

describe('HeldBatch', () => {
  it('is done when all events of all parts are', () => {
    const held = heldOf([
      ['a', 1],
      ['b', 2],
    ]);
    expect(positions(held)).toEqual(['a.0', 'b.0', 'b.1']);
    for (const ref of held.unqueued) {
      expect(held.isDone).toBe(false);
      held.done(ref);
      held.done(ref);
    }
    expect(held.isDone).toBe(true);
  });

  it('leaves out what was done before', () => {
    const held = heldOf(
      [
        ['a', 3],
        ['b', 1],
      ],
      new Map([['a', [0, 2]]]),
    );
    expect(positions(held)).toEqual(['a.1', 'b.0']);
    expect(held.unsaved).toEqual([]);
  });

  it('knows what is to be written down', () => {
    const held = heldOf([
      ['a', 2],
      ['b', 2],
    ]);
    const [first] = held.unqueued;
    if (first) held.done(first);
    expect(held.unsaved.map(({ batchId, done }) => [batchId, [...done]])).toEqual([['a', [0]]]);
  });

  it('that was done altogether before has nothing to do', () => {
    expect(heldOf([['a', 1]], new Map([['a', [0]]])).isDone).toBe(true);
  });
});
