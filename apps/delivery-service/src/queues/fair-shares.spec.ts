import { describe, expect, it } from '@jest/globals';
import { FairShares } from './fair-shares.js';

const MIB = 1_048_576;
const bounds = { commonMax: 768 * MIB, ownMax: MIB, max: 896 * MIB };

const owner = (workspaceId: string, destinationId: string) => ({ workspaceId, destinationId });

/** Takes one MiB after another until no more fits. Returns the number of MiB taken. */
function fill(shares: FairShares, workspaceId: string, destinationId: string): number {
  const who = owner(workspaceId, destinationId);
  let taken = 0;
  for (; shares.fits(who, MIB); taken += 1) shares.add(who, MIB);
  return taken;
}

describe('shares', () => {
  it('leave most of it when one destination takes all it can', () => {
    expect(fill(new FairShares(bounds), 'w', 'd')).toBe(128);
  });

  it('leave something for each destination of a workspace, and for other workspaces', () => {
    const shares = new FairShares(bounds);
    const got = Array.from({ length: 12 }, (_, n) => fill(shares, 'greedy', `d${n}`));
    for (const [n, one] of got.entries()) expect(one).toBeGreaterThanOrEqual(n > 9 ? 1 : 2);
    expect(got.reduce((sum, one) => sum + one)).toBeLessThan(400);
    expect(fill(shares, 'other', 'd')).toBeGreaterThan(60);
  });

  it('never go over the bound, however many there are', () => {
    const shares = new FairShares(bounds);
    for (let n = 0; n < 1_000; n += 1) fill(shares, `w${n % 50}`, `d${n}`);
    expect(shares.total).toBeLessThanOrEqual(bounds.max);
    expect(shares.fits(owner('late', 'late'), MIB)).toBe(false);
  });

  it('take back what is given back', () => {
    const shares = new FairShares(bounds);
    const taken = fill(shares, 'w', 'd');
    shares.add(owner('w', 'd'), -taken * MIB);
    expect([shares.total, shares.of('d')]).toEqual([0, 0]);
    expect(fill(shares, 'w', 'd')).toBe(taken);
  });

  it('count what the stream holds and nobody has counted', () => {
    const shares = new FairShares(bounds);
    expect(shares.fits(owner('w', 'd'), 2 * MIB, 768 * MIB)).toBe(false);
  });
});
