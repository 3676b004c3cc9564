import { randomOf, shuffled } from './random.js';

export interface Plan {
  /** The first and the last. */
  seeds: readonly [number, number];
  faults: readonly string[];
  /** Gives each fault a round of its own for each seed. */
  each: boolean;
  /** Takes that many faults for each round, or all with 0. */
  mix: number;
}

export interface PlannedRound {
  /** Names its workspaces and its history. */
  name: string;
  seed: number;
  /** Groups rounds in the report. */
  title: string;
  faults: readonly string[];
}

/** The rounds in their order. Every fault has its turn before the next seed, because time may not suffice for all. */
export function roundsOf({ seeds: [first, last], faults, each, mix }: Plan): PlannedRound[] {
  const seeds = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const rounds = seeds.flatMap((seed) => {
    if (each) return faults.map((fault) => ({ seed, title: fault, faults: [fault] }));
    if (mix > 0) return [{ seed, title: `${mix} at random`, faults: shuffled(faults, randomOf(seed)).slice(0, mix) }];
    return [{ seed, title: `all ${faults.length}`, faults }];
  });
  return rounds.map((round, n) => ({ name: `round-${n + 1}`, ...round }));
}
