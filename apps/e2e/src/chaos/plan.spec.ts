import { describe, expect, it } from '@jest/globals';
import { roundsOf } from './plan.js';

const faults = ['kill', 'pause', 'cut'];

describe('rounds of a plan', () => {
  it('play all faults for each seed', () => {
    const rounds = roundsOf({ seeds: [7, 8], faults, each: false, mix: 0 });
    expect(rounds.map(({ seed, faults }) => [seed, faults.length])).toEqual([
      [7, 3],
      [8, 3],
    ]);
  });

  it('play each fault alone before the next seed', () => {
    const rounds = roundsOf({ seeds: [1, 2], faults, each: true, mix: 0 });
    expect(rounds.map(({ seed, title }) => `${seed} ${title}`)).toEqual([
      ...['1 kill', '1 pause', '1 cut'],
      ...['2 kill', '2 pause', '2 cut'],
    ]);
    expect(new Set(rounds.map(({ name }) => name)).size).toBe(6);
  });

  it('take the same faults for the same seed', () => {
    const plan = { seeds: [1, 20], faults, each: false, mix: 2 } as const;
    expect(roundsOf(plan)).toEqual(roundsOf(plan));
    expect(roundsOf(plan).every((round) => new Set(round.faults).size === 2)).toBe(true);
    expect(new Set(roundsOf(plan).map((round) => round.faults.join())).size).toBeGreaterThan(1);
  });
});
