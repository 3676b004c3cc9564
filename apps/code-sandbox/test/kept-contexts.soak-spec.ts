import { describe, expect, it } from '@jest/globals';
import type { EventResult } from '@weir/contracts';
import { FAMILIES } from './corpus/families.js';
import { useSandbox } from './support/sandbox.js';

/** Enough for a context to stay, and for a run to meet what the one before left in it. */
const RUNS = 4;
const OVERFLOW = /^RangeError: Maximum call stack size exceeded/;

/** Live runs of the corpus, since tests never get a context that stays. */
describe.each(FAMILIES)('$name, again and again', ({ attacks, memoryMb }) => {
  const sandbox = useSandbox({ children: 2, limitMs: 20_000, memoryMb });
  const ending = attacks.filter(([, , outcome]) => typeof outcome === 'object' || outcome === 'dropped');

  it.each(ending)('%s', async (...[, code, , surroundings]) => {
    const program = { events: [{}], ...surroundings, code };
    const results = async () => (await sandbox.results(program)).map(withoutDepth);
    const first = await results();
    for (let run = 1; run < RUNS; run += 1) expect(await results()).toEqual(first);
  });
});

/** Where the stack ended depends on what V8 had compiled by then. */
const withoutDepth = (result: EventResult) =>
  result.status === 'error' && OVERFLOW.test(result.error.message) ? 'overflow' : result;
