import { describe, expect, it } from '@jest/globals';
import { backoffMs, QUICK_FAILURES_MAX } from './supervise.js';

describe('backoffMs', () => {
  it('starts again at once after a single fault and slows down when it repeats', () => {
    expect(backoffMs(0)).toBeLessThanOrEqual(100);
    expect(backoffMs(3)).toBeGreaterThan(backoffMs(2));
  });

  it('is bounded, and long enough in all for a database to recover', () => {
    expect(backoffMs(50)).toBe(5_000);
    const waits = Array.from({ length: QUICK_FAILURES_MAX }, (_, failures) => backoffMs(failures + 1));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(10_000);
  });
});
