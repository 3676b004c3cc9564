import { describe, expect, it } from '@jest/globals';
import { fitting, mixed } from './replay.service.js';

const [a1, a2, a3, b1, c1, c2] = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((id) => ({ id }));

describe('sampled events', () => {
  it('of all kinds take turns, up to the count', () => {
    const lists = [[a1, a2, a3], [b1], [c1, c2]] as { id: string }[][];
    expect(mixed(lists, 100)).toEqual([a1, b1, c1, a2, c2, a3]);
    expect(mixed(lists, 4)).toEqual([a1, b1, c1, a2]);
    expect(mixed([], 4)).toEqual([]);
  });

  it('end where they would not fit', async () => {
    const bytes = JSON.stringify({ id: 'a1' }).length + 1;
    const samples = Array(5).fill({ id: 'a1' });
    expect(await fitting(samples, 2 * bytes)).toHaveLength(2);
    expect(await fitting(samples, 2 * bytes - 1)).toHaveLength(1);
  });
});
