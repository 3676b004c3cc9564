import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventResult } from '@weir/contracts';
import { type Attack, CANARY_FILE, CANARY_NAME, type Outcome } from './corpus/attack.js';
import { FAMILIES, GROUPS } from './corpus/families.js';
import { ADD_ONE, dropped, ENDED, failed, OUT_OF_MEMORY, ok, TIMED_OUT, useSandbox } from './support/sandbox.js';

const CANARY = randomBytes(16).toString('hex');
const NEIGHBOUR = '0ujzPyRiIAffKhBux4PvQdDqMHY';
/** Time for all attacks of a group on a busy machine. */
const HOOK_MS = 600_000;
const HARMLESS = { code: ADD_ONE, events: [{ n: 1 }] };

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

it('the corpus has 400 programs and more, each once', () => {
  const programs = FAMILIES.flatMap(({ attacks }) => attacks.map(([, code, , more]) => JSON.stringify([code, more])));
  expect(programs.length).toBeGreaterThanOrEqual(400);
  expect(new Set(programs).size).toBe(programs.length);
  for (const { attacks } of FAMILIES) expect(new Set(attacks.map(([name]) => name)).size).toBe(attacks.length);
});

describe.each(GROUPS)('$name', ({ attacks, memoryMb, limitMs, atATime }) => {
  const sandbox = useSandbox({ children: atATime + 1, limitMs, memoryMb });
  const neighbour = useNeighbour(sandbox);
  const seen = useAttacks(sandbox, attacks, atATime);

  // Jest would take a fourth parameter for its callback.
  it.each(attacks)('%s', (...[name, , outcome, surroundings]) => {
    const { results: got, logs, after, isReady } = seen.get(name) as Seen;
    expect(got).toEqual([outcome].flat().map(expectedOf));
    if (surroundings?.logs) expect(logs).toEqual(surroundings.logs);
    expect(JSON.stringify([got, logs])).not.toContain(CANARY);
    expect(JSON.stringify(logs).length).toBeLessThanOrEqual(65_536);
    expect([after, isReady]).toEqual([[ok({ n: 2 })], true]);
  });

  it('no neighbour lost a run', () => {
    expect(neighbour.wrong).toEqual([]);
    expect(neighbour.right).toBeGreaterThan(0);
  });
});

interface Seen {
  results: EventResult[];
  logs: string[];
  /** Results of harmless code of the same workspace afterwards. */
  after: EventResult[];
  isReady: boolean;
}

/** Runs all attacks, `atATime` concurrently, each of these sequences in its own workspace. */
function useAttacks(sandbox: ReturnType<typeof useSandbox>, attacks: readonly Attack[], atATime: number) {
  const seen = new Map<string, Seen>();
  const waiting = [...attacks];
  const attackOneByOne = async (workspaceId: string) => {
    for (let attack = waiting.shift(); attack; attack = waiting.shift()) {
      const [name, text, , surroundings] = attack;
      const { results: got, logs } = await sandbox.run({
        events: [{}],
        ...surroundings,
        code: withCanary(text),
        mode: 'test',
        workspaceId,
      });
      const after = await sandbox.results({ ...HARMLESS, workspaceId });
      seen.set(name, { results: got, logs, after, isReady: (await sandbox.health()).ready });
    }
  };
  beforeAll(async () => {
    const lines = Array.from({ length: atATime }, (_, line) =>
      attackOneByOne(`0attacker${String(line).padStart(18, '0')}`),
    );
    await Promise.all(lines);
  }, HOOK_MS);
  return seen;
}

const withCanary = (text: string) => text.replaceAll(CANARY_FILE, join(directory, 'canary'));

function expectedOf(outcome: Outcome) {
  if (outcome === 'timeout') return TIMED_OUT;
  if (outcome === 'ended') return ENDED;
  if (outcome === 'memory') return OUT_OF_MEMORY;
  if (outcome === 'dropped') return dropped;
  if ('output' in outcome) return ok(outcome.output);
  if ('outputs' in outcome) return ok(...outcome.outputs);
  if ('failing' in outcome) return failed(expect.stringContaining(outcome.failing));
  return failed(typeof outcome.error === 'string' ? withCanary(outcome.error) : expect.stringMatching(outcome.error));
}

/** Another workspace that runs harmless code all the time. */
function useNeighbour(sandbox: ReturnType<typeof useSandbox>) {
  const tally: { right: number; wrong: unknown[] } = { right: 0, wrong: [] };
  let isOver = false;
  let running = Promise.resolve();
  const keepRunning = async () => {
    while (!isOver) {
      const outcome = await sandbox.results({ ...HARMLESS, workspaceId: NEIGHBOUR }).catch((error) => [error]);
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
