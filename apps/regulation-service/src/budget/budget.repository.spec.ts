import { describe, expect, it } from '@jest/globals';
import type { RegulationBudget } from '@weir/contracts';
import { budgetExhausted, checkAgainstLimits, costOf, drawnBudgets } from './budget.repository.js';

const budget = (name: RegulationBudget['name'], remaining: number, resetSeconds: number): RegulationBudget => ({
  ...{ name, limit: 100, remaining, resetSeconds },
});

describe('the cost of a regulation', () => {
  it.each([
    [{ users: 3, sources: 0, destinations: 0 }, { suppression: 3, deletion: 0 }, ['suppression']],
    [{ users: 3, sources: 1, destinations: 0 }, { suppression: 3, deletion: 0 }, ['suppression']],
    [{ users: 100, sources: 1_000, destinations: 0 }, { suppression: 100_000, deletion: 0 }, ['suppression']],
    [{ users: 3, sources: 0, destinations: 4 }, { suppression: 3, deletion: 12 }, ['suppression', 'deletion']],
  ])('of %j is %j', (size, cost, drawn) => {
    expect(costOf(size)).toEqual(cost);
    expect(drawnBudgets(costOf(size))).toEqual(drawn);
  });

  it('that no hour covers is too large, what fills the hour is not', () => {
    const limits = { suppression: 10, deletion: 20 };
    expect(() => checkAgainstLimits({ suppression: 10, deletion: 20 }, limits)).not.toThrow();
    for (const cost of [
      { suppression: 11, deletion: 0 },
      { suppression: 1, deletion: 21 },
    ]) {
      expect(() => checkAgainstLimits(cost, limits)).toThrow(expect.objectContaining({ code: 'too_large' }));
    }
  });
});

describe('a refusal', () => {
  const cost = { suppression: 50, deletion: 50 };

  it('waits for every budget that is short, and for no other', () => {
    const of = (...budgets: RegulationBudget[]) => budgetExhausted(budgets, cost).details?.['retryAfterSeconds'];
    expect(of(budget('suppression', 10, 60), budget('deletion', 80, 900))).toBe(60);
    expect(of(budget('suppression', 10, 60), budget('deletion', 0, 900))).toBe(900);
    expect(of(budget('suppression', 10, 0), budget('deletion', 80, 900))).toBe(1);
  });

  it('says what is left and what was asked', () => {
    const { code, message } = budgetExhausted([budget('suppression', 10, 60), budget('deletion', 80, 9)], cost);
    expect(code).toBe('rate_limited');
    expect(message).toMatch(/10 of the 50 suppression units.*users times sources.*60 s/);
    expect(message).not.toContain('deletion');
  });
});
