import { describe, expect, it } from '@jest/globals';
import { countTurns } from '@weir/testing';
import { SLICE_BYTES } from '../limits.js';
import type { Answer, Job } from './job.js';
import { SharedRun } from './shared-run.js';

const CALLERS = 8;

const jobOf = (settle: (answer: Answer) => void): Job => ({
  workspaceId: 'w',
  work: {
    action: 'run',
    bundle: { key: 'k', name: 'n', code: '', libraries: [] },
    events: [Buffer.from('{}')],
    isPartial: false,
    isShareable: true,
    collectLogs: false,
    allowFetch: false,
    credentials: [],
  },
  digest: 'd',
  identity: 'same',
  limitMs: 1,
  fetch: () => Promise.reject(new Error('not asked for')),
  settle,
  timer: setTimeout(() => undefined),
  queuedAt: 0,
});

/** The event loop turns in which callers got their results, and these results. */
async function settled(groups: readonly string[]) {
  const loop = countTurns();
  const turns: number[] = [];
  const outcomes: string[] = [];
  const settle = ({ outcome }: Answer) => {
    turns.push(loop.count);
    outcomes.push(outcome.toString());
  };
  const run = new SharedRun(jobOf(settle), { identity: 'same', msPerEvent: 0.001 });
  for (let caller = 1; caller < CALLERS; caller += 1) expect(run.accepts(jobOf(settle))).toBe(true);
  await run.settle({ id: 1, logs: [], spent: false, outcome: Buffer.from(groups.join('\n')) });
  loop.stop();
  return { turns, outcomes };
}

describe('the results of a shared run', () => {
  it('are settled in a turn of the loop each when they are long', async () => {
    const groups = Array.from({ length: CALLERS }, (_, index) => JSON.stringify([index, 'x'.repeat(SLICE_BYTES)]));
    const { turns, outcomes } = await settled(groups);
    expect(outcomes).toEqual(groups);
    expect(new Set(turns).size).toBe(CALLERS);
  });

  it('are settled at once when they are short, and empty where the child said nothing', async () => {
    const { turns, outcomes } = await settled(['1', '2', 'x', '4']);
    expect(outcomes).toEqual(['1', '2', 'x', '4', '', '', '', '']);
    expect(new Set(turns).size).toBe(1);
  });
});
