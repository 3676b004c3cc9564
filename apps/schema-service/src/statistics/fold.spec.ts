import { describe, expect, it } from '@jest/globals';
import { SLICE_MS } from '@weir/messaging';
import { countTurns, holdLoop } from '@weir/testing';
import { Statistics } from '../aggregation/statistics.js';
import { foldIncrements } from './fold.js';
import type { Increment } from './statistics.repository.js';

const INCREMENTS = 6;
const { values, samples } = Statistics.none('model').encode();

/** Increments that each take a whole slice to read. `turns` records how many turns others had before each read. */
function slowIncrements(): { increments: Increment[]; turns: number[]; end: () => void } {
  const loop = countTurns();
  const turns: number[] = [];
  const increments = Array.from({ length: INCREMENTS }, () => ({
    ...{ eventId: 'model', versionId: null, samples },
    get values() {
      turns.push(loop.count);
      holdLoop(SLICE_MS);
      return values;
    },
  }));
  return { increments, turns, end: loop.stop };
}

describe('many large increments of statistics', () => {
  it.each([
    ['folded', (increments: Increment[]) => foldIncrements('model', increments, new Map())],
    ['read', (increments: Increment[]) => Statistics.sum('model', increments)],
  ])('are %s with turns for everybody else in between', async (_, work) => {
    const { increments, turns, end } = slowIncrements();
    await work(increments);
    end();
    expect(new Set(turns).size).toBe(INCREMENTS);
  });
});
