import { describe, expect, it } from '@jest/globals';
import { BATCH_WAIT_MS_MAX } from '@weir/contracts';
import { destinationDefinitions, destinationKind } from './registry.js';

describe('the kinds', () => {
  it('never let a payload wait longer than a deletion waits for it', () => {
    const waits = destinationDefinitions().map(({ name }) => destinationKind(name)?.batching?.waitMs ?? 0);
    expect(Math.max(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(BATCH_WAIT_MS_MAX);
  });
});
