import { describe, expect, it } from '@jest/globals';
import { Ksuid } from '@weir/contracts';
import { newKsuid } from './ids.js';

describe('newKsuid', () => {
  it('makes ids that the contracts take, each another', () => {
    const ids = Array.from({ length: 100 }, newKsuid);
    for (const id of ids) expect(Ksuid.safeParse(id).success).toBe(true);
    expect(new Set(ids).size).toBe(100);
  });
});
