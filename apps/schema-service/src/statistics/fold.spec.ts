import { describe, expect, it } from '@jest/globals';
import { SLICE_MS } from '@weir/messaging';
import { Statistics } from '../aggregation/statistics.js';
import { foldParts } from './fold.js';
import type { Part } from './statistics.repository.js';

const PARTS = 6;
const { values, samples } = Statistics.none('model').encode();

/** Parts that take as long as a slice to be read, and how many turns others had had when each of them was. */
function slowParts(): { parts: Part[]; turns: number[]; end: () => void } {
  let [count, isOver] = [0, false];
  const turn = () => {
    count += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const turns: number[] = [];
  const parts = Array.from({ length: PARTS }, () => ({
    ...{ eventId: 'model', versionId: null, samples },
    get values() {
      turns.push(count);
      const endAt = performance.now() + SLICE_MS;
      while (performance.now() < endAt);
      return values;
    },
  }));
  const end = () => {
    isOver = true;
  };
  return { parts, turns, end };
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
