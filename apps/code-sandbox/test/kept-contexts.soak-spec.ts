import { describe, expect, it } from '@jest/globals';
import { escapes } from './corpus/escapes.js';
import { pollution } from './corpus/pollution.js';
import { regex } from './corpus/regex.js';
import { results } from './corpus/results.js';
import { useSandbox } from './support/sandbox.js';

/** Enough for a context to stay, and for a run to meet what the one before left in it. */
const RUNS = 4;

/** Live runs of the corpus, since tests never get a context that stays. */
describe.each([pollution, escapes, results, regex])('$name, again and again', ({ attacks, memoryMb }) => {
  const sandbox = useSandbox({ children: 2, limitMs: 20_000, memoryMb });
  const ending = attacks.filter(([, , outcome]) => typeof outcome === 'object' || outcome === 'dropped');

  it.each(ending)('%s', async (...[, code, , surroundings]) => {
    const program = { events: [{}], ...surroundings, code };
    const first = await sandbox.results(program);
    for (let run = 1; run < RUNS; run += 1) expect(await sandbox.results(program)).toEqual(first);
  });
});
