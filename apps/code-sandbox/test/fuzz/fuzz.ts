import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { useSandbox } from '../support/sandbox.js';
import { flawOf } from './judge.js';
import { type Fuzzed, programs } from './programs.js';

/** Short, because some programs never end. A harmless one that takes longer on a busy machine breaks no promise. */
const LIMIT_MS = 300;
const MEMORY_MB = 32;

/**
 * Fuzzes the boundary between user code and the driver, in real children. The returned function throws with the seed and the
 * smallest program that breaks a promise.
 *
 * @param canary A text in the environment of the supervisor.
 */
export function useBoundaryFuzz(canary: string) {
  const sandbox = useSandbox({ children: 2, limitMs: LIMIT_MS, memoryMb: MEMORY_MB });
  const forbidden = { canary, secret: `secret-${randomBytes(8).toString('hex')}` };
  const isSound = async (program: Fuzzed) => {
    const flaw = await flawOf(program, sandbox, forbidden);
    if (flaw) throw new Error(flaw);
  };
  return async (seed: number, numRuns: number): Promise<void> => {
    const found = await fc.check(fc.asyncProperty(programs, isSound), { seed, numRuns });
    if (found.failed) throw new Error(toldOf(found));
  };
}

function toldOf({ seed, counterexamplePath, counterexample, errorInstance }: fc.RunDetails<[Fuzzed]>): string {
  const [program] = counterexample ?? [];
  const { code = '', ...how } = program ?? {};
  return `${String(errorInstance)}\nseed ${seed}, path ${counterexamplePath}, ${JSON.stringify(how)}\n${code}`;
}
