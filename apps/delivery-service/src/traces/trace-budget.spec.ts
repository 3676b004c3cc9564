import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { levelOf, TraceBudget } from './trace-budget.js';

describe('levelOf', () => {
  it.each([
    ['nobody', [], 100, 100],
    ['all fit: the newcomer gets the rest', [10, 20], 100, 70],
    ['one is greedy', [10, 1_000], 100, 90],
    ['two are greedy', [10, 1_000, 500], 100, 45],
    ['everybody is greedy', [200, 200], 100, 50],
  ])('%s', (_, rates, budget, level) => {
    expect(levelOf(rates, budget)).toBe(level);
  });

  it('never hands out more than the budget', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5_000 })), fc.integer({ min: 0, max: 2_000 }), (rates, budget) => {
        const level = levelOf(rates, budget);
        const given = rates.reduce((sum, rate) => sum + Math.min(rate, level), 0);
        expect(given).toBeLessThanOrEqual(budget + 1e-6);
      }),
    );
  });
});

const source = (sourceId: string, workspaceId = 'w') => ({ workspaceId, sourceId });

describe('TraceBudget', () => {
  it('gives a workspace with many busy sources no more than another with one', () => {
    const budget = new TraceBudget(100);
    let shares: number[] = [];
    for (const now of [1_000, 2_000, 3_000]) {
      shares = Array.from({ length: 10 }, (_, at) => budget.shareOf(source(`busy ${at}`, 'many'), 1_000, now));
      shares.push(budget.shareOf(source('busy', 'one'), 1_000, now));
    }
    expect(shares).toEqual([...Array(10).fill(0.005), 0.05]);
  });

  it('traces a quiet source whole beside a busy one', () => {
    const budget = new TraceBudget(100);
    for (const now of [1_000, 2_000, 3_000]) {
      const busy = budget.shareOf(source('busy'), 1_000, now);
      expect(budget.shareOf(source('quiet'), 10, now)).toBe(1);
      if (now > 1_000) expect(busy).toBeCloseTo(0.09, 3);
    }
  });

  it('traces nothing without a budget', () => {
    expect(new TraceBudget(0).shareOf(source('s'), 1)).toBe(0);
  });

  it('remembers no source that was quiet for a second', () => {
    const budget = new TraceBudget(10);
    budget.shareOf(source('s'), 1_000, 1_000);
    expect(budget.shareOf(source('s'), 1, 2_500)).toBe(0.01);
    expect(budget.shareOf(source('s'), 1, 4_500)).toBe(1);
  });
});
