import { describe, expect, it } from '@jest/globals';
import { SLICE_MS } from '@weir/messaging';
import { countTurns, holdLoop } from '@weir/testing';
import { Statistics } from '../aggregation/statistics.js';
import { foldParts } from './fold.js';
import type { Part } from './statistics.repository.js';

const PARTS = 6;
const { values, samples } = Statistics.none('model').encode();

/** Parts that each take a whole slice to read. `turns` records how many turns others had before each read. */
function slowParts(): { parts: Part[]; turns: number[]; end: () => void } {
  const loop = countTurns();
  const turns: number[] = [];
  const parts = Array.from({ length: PARTS }, () => ({
    ...{ eventId: 'model', versionId: null, samples },
    get values() {
      turns.push(loop.count);
      holdLoop(SLICE_MS);
      return values;
    },
  }));
  return { parts, turns, end: loop.stop };
}

describe('many large parts of statistics', () => {
  it.each([
    ['folded', (parts: Part[]) => foldParts('model', parts, new Map())],
    ['read', (parts: Part[]) => Statistics.sum('model', parts)],
  ])('are %s with turns for everybody else in between', async (_, work) => {
    const { parts, turns, end } = slowParts();
    await work(parts);
    end();
    expect(new Set(turns).size).toBe(PARTS);
  });
});
