import { describe, expect, it } from '@jest/globals';
import { runtimeOf } from '../../src/analysis/runtime-of.js';
import { describeProblem } from '../../src/analysis/verdict.js';

export const RUN = 'export const transformEvent = (e) => {';
export const STATE = 'keeps state';
export const PASSED = 'passes on what outlives the run';
export const UNKNOWN = 'uses what cannot be followed';
export const AT_LOAD = 'depends on when it is loaded';
export const POSITION = 'uses a regular expression that keeps its position';

/** Programs by family, each with what its author is told. The first line is 1. */
export type Families = Record<string, [told: string, code: string][]>;

/** Tests that each program needs a fresh context, and why. */
export function eachIsFresh(families: Families): void {
  describe.each(Object.entries(families))('%s', (_family, programs) => {
    it.each(programs)('%s', (told, code) => {
      const verdict = runtimeOf({ code, libraries: [] });
      expect(verdict.runtime === 'fresh' ? describeProblem(verdict) : verdict.runtime).toBe(told);
    });
  });
}
