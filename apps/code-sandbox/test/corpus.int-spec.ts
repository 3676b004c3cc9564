import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CANARY_FILE, CANARY_NAME, type Family, type Outcome } from './corpus/attack.js';
import { escapes } from './corpus/escapes.js';
import { floods } from './corpus/floods.js';
import { outputFloods } from './corpus/floods-of-output.js';
import { loops } from './corpus/loops.js';
import { memory } from './corpus/memory.js';
import { pollution } from './corpus/pollution.js';
import { recursion } from './corpus/recursion.js';
import { regex } from './corpus/regex.js';
import { results } from './corpus/results.js';
import { dropped, failed, OUT_OF_MEMORY, ok, TIMED_OUT, useSandbox } from './support/sandbox.js';

const FAMILIES = [loops, floods, recursion, memory, regex, results, pollution, escapes, outputFloods];
const CANARY = randomBytes(16).toString('hex');
const NEIGHBOUR = '0ujzPyRiIAffKhBux4PvQdDqMHY';
/** The neighbour ran all the while, however quick a family is. */
const SOME = 5;
const ADD_ONE = { code: 'export const transformEvent = ({ n }) => ({ n: n + 1 });', events: [{ n: 1 }] };

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'weir-canary-'));
  writeFileSync(join(directory, 'canary'), CANARY);
  process.env[CANARY_NAME] = CANARY;
});
afterAll(() => {
  rmSync(directory, { recursive: true });
  delete process.env[CANARY_NAME];
});

it('the corpus has 150 programs and more, each once', () => {
  const codes = FAMILIES.flatMap(({ attacks }) => attacks.map(([, code]) => code));
  expect(codes.length).toBeGreaterThanOrEqual(150);
  expect(new Set(codes).size).toBe(codes.length);
});

describe.each(FAMILIES)('$name', ({ attacks, limitMs, memoryMb }: Family) => {
  const sandbox = useSandbox({ children: 3, limitMs, memoryMb });
  const neighbour = useNeighbour(sandbox);

  it.each(attacks)('%s', async (_name, code, outcome) => {
    const { results: got, logs } = await sandbox.run({
      code: withCanary(code),
      events: [{}],
      mode: 'test',
    });
    expect(got).toEqual([expectedOf(outcome)]);
    expect(JSON.stringify([got, logs])).not.toContain(CANARY);
    expect(JSON.stringify(logs).length).toBeLessThanOrEqual(65_536);
    expect(await sandbox.results(ADD_ONE)).toEqual([ok({ n: 2 })]);
    expect(neighbour.wrong).toEqual([]);
    expect((await sandbox.health()).ready).toBe(true);
  });

  it('no neighbour lost a run', () => expect(neighbour.right).toBeGreaterThan(SOME));
});

const withCanary = (text: string) => text.replaceAll(CANARY_FILE, join(directory, 'canary'));

function expectedOf(outcome: Outcome) {
  if (outcome === 'timeout') return TIMED_OUT;
  if (outcome === 'memory') return OUT_OF_MEMORY;
  if (outcome === 'dropped') return dropped;
  if ('output' in outcome) return ok(outcome.output);
  return failed(typeof outcome.error === 'string' ? withCanary(outcome.error) : expect.stringMatching(outcome.error));
}

/** Another workspace that runs harmless code all the while. */
function useNeighbour(sandbox: ReturnType<typeof useSandbox>) {
  const tally: { right: number; wrong: unknown[] } = { right: 0, wrong: [] };
  let isOver = false;
  let running = Promise.resolve();
  const keepRunning = async () => {
    while (!isOver) {
      const outcome = await sandbox.results({ ...ADD_ONE, workspaceId: NEIGHBOUR }).catch((error) => [error]);
      if (JSON.stringify(outcome) === JSON.stringify([ok({ n: 2 })])) tally.right += 1;
      else tally.wrong.push(outcome);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  beforeAll(() => {
    running = keepRunning();
  });
  afterAll(() => {
    isOver = true;
    return running;
  });
  return tally;
}
