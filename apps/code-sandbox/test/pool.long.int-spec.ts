import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { OwnChildren } from '../src/host/own-children.js';
import { QUEUE_PER_WORKSPACE_MAX } from '../src/limits.js';
import { ChildPool, type PoolOptions } from '../src/pool/child-pool.js';

const CHILD_SCRIPT = fileURLToPath(new URL('../dist/child.js', import.meta.url));
const LOOP = 'export function transformEvent() { while (true) {} }';
const FAST = 'export const transformEvent = (e) => e;';

const pools: ChildPool[] = [];
const warnings: string[] = [];
const lost: string[] = [];
const waits: number[] = [];
const warm: boolean[] = [];
function newPool(options: Partial<PoolOptions> = {}): ChildPool {
  const log = { warn: (message: string) => void warnings.push(message) };
  const observer = {
    killed: (reason: string) => void lost.push(reason),
    waited: (ms: number) => void waits.push(ms),
    compiled: (isCompiled: boolean) => void warm.push(isCompiled),
    ran: () => undefined,
  };
  const pool = new ChildPool({
    ...{ host: new OwnChildren(CHILD_SCRIPT), children: 2, limitMs: 30_000, queueWaitMs: 30_000, log, observer },
    ...options,
  });
  pools.push(pool);
  return pool;
}
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
  warnings.length = 0;
  lost.length = 0;
  waits.length = 0;
  warm.length = 0;
});

/** Limits a loop. Other code has the limit of the pool, because a busy machine may need half a second for it. */
const LOOP_MS = 500;
const run = (
  pool: ChildPool,
  workspaceId: string,
  code = FAST,
  limitMs = code === LOOP ? LOOP_MS : undefined,
  { isShareable = false, text = '' } = {},
) =>
  pool.perform(
    workspaceId,
    {
      action: 'run',
      bundle: { key: code, name: 'my code', code, libraries: [] },
      events: [Buffer.from(`{"message":{},"metadata":{"text":"${text}"}}`)],
      isPartial: false,
      isShareable,
      collectLogs: false,
      allowFetch: false,
      credentials: [],
    },
    { limitMs },
  );
/** A loop that nothing ends but the limit of the pool. */
const longLoop = (pool: ChildPool) => run(pool, 'a', LOOP, Number.POSITIVE_INFINITY);
const DONE = expect.objectContaining({
  outcome: Buffer.from('{"results":[{"status":"ok","outputs":[{}]}],"strays":[]}'),
  spent: false,
});
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const residentMb = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

describe('the pool of children', () => {
  it('keeps a child per workspace and a spare beside them', async () => {
    const pool = newPool();
    await run(pool, 'a');
    const [childOfA] = pool.pidsOf('a');
    await run(pool, 'b');
    await run(pool, 'a');
    expect(pool.pidsOf('a')).toEqual([childOfA]);
    expect(pool.pidsOf('b')).not.toEqual([childOfA]);
    await until('a spare child', () => pool.pidsOf(undefined).length === 1);
  });

  it('lets the least recently used one go for another workspace, and never reuses its process', async () => {
    const pool = newPool();
    await run(pool, 'a');
    await run(pool, 'b');
    const [childOfA = 0] = pool.pidsOf('a');
    const childrenOfB = pool.pidsOf('b');
    await run(pool, 'c');
    expect(pool.pidsOf('a')).toEqual([]);
    expect(pool.pidsOf('b')).toEqual(childrenOfB);
    expect(pool.pidsOf('c')).not.toContain(childOfA);
    await until('the child to end', () => !isAlive(childOfA));
  });

  it('lets an idle one go, and keeps the spare', async () => {
    const pool = newPool({ idleMs: 100 });
    await run(pool, 'a');
    await until('the idle child to go', () => pool.pidsOf('a').length === 0 && pool.pidsOf(undefined).length === 1);
    expect(await run(pool, 'a')).toEqual(DONE);
  });

  it('does not let one workspace have all of them', async () => {
    const pool = newPool({ children: 2 });
    const loops = [run(pool, 'greedy', LOOP), run(pool, 'greedy', LOOP)];
    expect(await run(pool, 'b')).toEqual(DONE);
    expect(pool.pidsOf('greedy').length).toBeLessThanOrEqual(1);
    for (const loop of loops) expect(await loop).toMatchObject({ failure: { cause: 'timeout' } });
  });

  it('leaves a processor to others, however many loops one workspace runs', async () => {
    const cores = availableParallelism();
    const pool = newPool({ children: cores + 2 });
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, pool.pidsOf('a').length);
    }, 5);
    await Promise.all(Array.from({ length: cores + 1 }, () => run(pool, 'a', LOOP, 300)));
    clearInterval(watch);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(Math.max(1, cores - 1));
  });

  it('replaces a child that ran into a limit', async () => {
    const pool = newPool();
    await run(pool, 'a');
    const [spent = 0] = pool.pidsOf('a');
    const loop = run(pool, 'a', LOOP);
    expect(await loop).toMatchObject({ spent: true });
    expect(await run(pool, 'a')).toEqual(DONE);
    expect(pool.pidsOf('a')).not.toContain(spent);
    await until('the child to end', () => !isAlive(spent));
    expect(lost).toEqual(['timeout']);
  });

  it('kills a child from outside when its own limit does not hold', async () => {
    const patient = longLoop(newPool()).then(() => 'the limit of another pool');
    const pool = newPool();
    await run(pool, 'a');
    const [pid = 0] = pool.pidsOf('a');
    const loop = run(pool, 'a', LOOP);
    process.kill(pid, 'SIGSTOP');
    const killed = { failure: { cause: 'timeout' }, spent: true };
    expect(await Promise.race([loop, patient])).toMatchObject(killed);
    await until('the child to end', () => !isAlive(pid));
    expect(lost).toEqual(['unresponsive']);
  });

  it('a child that is killed fails its run and no other', async () => {
    const pool = newPool({ children: 3 });
    await run(pool, 'a');
    await run(pool, 'b');
    const [pid = 0] = pool.pidsOf('a');
    const [victim, neighbour] = [run(pool, 'a', LOOP), run(pool, 'b', LOOP)];
    process.kill(pid, 'SIGKILL');
    expect(await victim).toMatchObject({ failure: { cause: 'memory' }, spent: true });
    expect(warnings).toEqual([expect.stringContaining('SIGKILL')]);
    expect(await neighbour).toMatchObject({ failure: { cause: 'timeout' } });
    expect(await run(pool, 'a')).toEqual(DONE);
  });

  it('does not let a workspace that never stops hold up its neighbours, nor change hands for every run', async () => {
    const pool = newPool({ children: 2 });
    const slow =
      'export const transformEvent = (e) => { const end = Date.now() + 20; while (Date.now() < end); return e; };';
    const pids = new Set<number>();
    let [runsOfA, areNeighboursDone] = [0, false];
    const line = async () => {
      while (!areNeighboursDone) {
        await run(pool, 'a', slow);
        runsOfA += 1;
        for (const pid of pool.pidsOf('a')) pids.add(pid);
      }
    };
    const lines = Array.from({ length: 30 }, line);
    for (const name of ['b', 'c', 'b', 'c']) expect(await run(pool, name, slow)).toEqual(DONE);
    areNeighboursDone = true;
    await Promise.all(lines);
    expect(pids.size).toBeLessThan(runsOfA / 3);
  });

  it('lets calls for the same code share a run if they came together', async () => {
    const pool = newPool();
    const call = () => run(pool, 'a', FAST, undefined, { isShareable: true });
    // Slow code is not shared, and all code is slow at times on a busy machine.
    for (let tries = 0; tries < 50 && warm.length !== 1; tries += 1) {
      warm.length = 0;
      expect(await Promise.all([call(), call(), call(), call()])).toEqual([DONE, DONE, DONE, DONE]);
    }
    expect(warm).toEqual([true]);
  });

  it('tells how long runs waited, and whether their code was compiled', async () => {
    const pool = newPool();
    await run(pool, 'a');
    await run(pool, 'a');
    await run(pool, 'a', `${FAST} // other`);
    expect(warm).toEqual([false, true, false]);
    expect(waits).toHaveLength(3);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'children do not heed %s: their supervisor ends them',
    async (signal) => {
      const pool = newPool();
      await run(pool, 'a');
      const [pid = 0] = pool.pidsOf('a');
      process.kill(pid, signal);
      expect(await run(pool, 'a')).toEqual(DONE);
      expect([pool.pidsOf('a'), warnings]).toEqual([[pid], []]);
    },
  );

  it('refuses what it cannot hold or start in time', async () => {
    const pool = newPool({ queueWaitMs: 500 });
    await until('the pool to be ready', () => pool.notReadyReason === undefined);
    const loop = longLoop(pool);
    const waiting = Array.from({ length: QUEUE_PER_WORKSPACE_MAX }, () => run(pool, 'a').catch((error) => error));
    await expect(run(pool, 'a')).rejects.toMatchObject({ code: 'unavailable' });
    for (const result of await Promise.all(waiting)) expect(result).toMatchObject({ code: 'unavailable' });
    pool.close();
    await loop;
  });

  it('a child does not keep the texts that passed it', async () => {
    const pool = newPool();
    const text = 'x'.repeat(700_000);
    const echo = 'export const transformEvent = (e, metadata) => metadata(e);';
    for (let n = 0; n < 300; n += 1) await run(pool, 'a', echo, undefined, { text });
    const [pid = 0] = pool.pidsOf('a');
    if (process.platform === 'linux') expect(residentMb(pid)).toBeLessThan(200);
  });

  it('children have an empty environment and leave with their parent', async () => {
    const pool = newPool();
    await run(pool, 'a');
    const [pid = 0] = pool.pidsOf('a');
    if (process.platform === 'linux') {
      const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((entry) => entry.split('=')[0]);
      expect(names.filter(Boolean)).toEqual([]);
    }
    pool.close();
    await until('the child to end', () => !isAlive(pid));
  });

  it('says when no child can start, and goes on trying', async () => {
    const pool = newPool({ host: new OwnChildren('/nowhere/child.js') });
    await until('a warning', () => warnings.length > 0);
    expect(pool.notReadyReason).toBe('no child process is ready');
    expect(warnings[0]).toContain('Cannot find module');
    await until('another warning', () => warnings.length > 1);
  });
});
