import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Turns, WAITING_MAX } from './turns.js';

describe('Turns', () => {
  it('does one piece of work in each turn, in order', async () => {
    const turns = new Turns();
    const done: number[] = [];
    const views = [{}, {}, {}];
    views.forEach((view, n) => void turns.add(view, () => void done.push(n)));
    expect(done).toEqual([]);
    const seen: number[] = [];
    while (done.length < views.length) {
      await nextTurn();
      seen.push(done.length);
    }
    expect([done, seen]).toEqual([
      [0, 1, 2],
      [1, 2, 3],
    ]);
  });

  it('lets one view wait with a few, and others as well', () => {
    const turns = new Turns();
    const [busy, other] = [{}, {}];
    const taken = Array.from({ length: 2 * WAITING_MAX }, () => turns.add(busy, () => undefined));
    expect([taken.filter(Boolean).length, turns.add(other, () => undefined)]).toEqual([WAITING_MAX, true]);
  });

  it('goes on after work that throws', async () => {
    const turns = new Turns();
    let isDone = false;
    turns.add({}, () => {
      throw new Error('no JSON');
    });
    turns.add({}, () => {
      isDone = true;
    });
    while (!isDone) await nextTurn();
    expect(isDone).toBe(true);
  });
});
