import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { DistantChildren } from '../src/host/distant-children.js';
import { HOST_NAME, NAME_BYTES } from '../src/host/host-protocol.js';
import { ChildPool } from '../src/pool/child-pool.js';

const CHILDREN_SCRIPT = fileURLToPath(new URL('../dist/children.js', import.meta.url));
const LOOP = 'export function transformEvent() { while (true) {} }';
const FAST = 'export const transformEvent = (e) => e;';
const HUNGRY = 'const all = []; export function transformEvent() { for (;;) all.push(new Array(1e5).fill(1.5)); }';

/** Text that the kernel has on a process. Empty if the process ends meanwhile. */
const procText = (path: string): string => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
};

/** For code that never ends. */
const SHORT_MS = 1_000;

// Reads processes from /proc.
(process.platform === 'linux' ? describe : describe.skip)('supervisor and children apart, joined by a socket', () => {
  let folder: string;
  let pool: ChildPool;
  let host: ChildProcess;
  const warnings: string[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-children-'));
    pool = newPool();
    host = startHost();
  });
  afterEach(async () => {
    pool.close();
    if (isRunning(host)) {
      host.kill('SIGTERM');
      await once(host, 'exit');
    }
    rmSync(folder, { recursive: true });
    warnings.length = 0;
  });

  const path = () => join(folder, 'children.sock');
  const newPool = () =>
    new ChildPool({
      host: new DistantChildren(path()),
      children: 2,
      limitMs: 30_000,
      memoryMb: 16,
      queueWaitMs: 30_000,
      log: { warn: (message) => void warnings.push(message) },
    });
  const startHost = () => spawn(process.execPath, [CHILDREN_SCRIPT, path()], { env: {}, stdio: 'inherit' });
  const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;
  /** Without `limitMs`, code has all the time that a busy machine needs. */
  const run = (workspaceId: string, code = FAST, limitMs?: number) =>
    pool.perform(
      workspaceId,
      {
        action: 'run',
        bundle: { key: code, name: 'my code', code, libraries: [] },
        events: [Buffer.from('{"message":{},"metadata":{}}')],
        isPartial: false,
        isShareable: false,
        collectLogs: false,
        allowFetch: false,
        credentials: [],
      },
      { limitMs },
    );
  const DONE = expect.objectContaining({
    outcome: Buffer.from('{"results":[{"status":"ok","outputs":[{}]}],"strays":[]}'),
    spent: false,
  });
  /** Processes that the host started and that still run. */
  const childrenOf = ({ pid }: ChildProcess): number[] =>
    readdirSync('/proc').flatMap((entry) => {
      const stat = /^\d+$/.test(entry) ? procText(`${entry}/stat`) : '';
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(parent) === pid && state !== 'Z' ? [Number(entry)] : [];
    });

  /** A process has the command line of its parent until it runs its own program. Stopped before that, it holds its parent up. */
  const isStarted = (pid: number) => procText(`${pid}/cmdline`).includes('--permission');

  it('runs code of several workspaces, each in a child of its own', async () => {
    expect(await Promise.all([run('a'), run('b'), run('a')])).toEqual([DONE, DONE, DONE]);
    expect(childrenOf(host).length).toBeGreaterThanOrEqual(2);
    expect(pool.notReadyReason).toBeUndefined();
  });

  it('tells what ran into a limit, kills it and goes on', async () => {
    expect(await run('a', LOOP, SHORT_MS)).toMatchObject({ failure: { cause: 'timeout' }, spent: true });
    expect(await run('a', HUNGRY)).toMatchObject({ failure: { cause: 'memory' }, spent: true });
    expect(await run('a')).toEqual(DONE);
  });

  it('has a child killed that does not answer', async () => {
    await run('a');
    await until('the children to start', () => childrenOf(host).every(isStarted));
    const [stopped = 0] = childrenOf(host);
    for (const pid of childrenOf(host)) process.kill(pid, 'SIGSTOP');
    expect(await run('a', FAST, SHORT_MS)).toMatchObject({ failure: { cause: 'timeout' }, spent: true });
    await until('the child to be killed', () => !childrenOf(host).includes(stopped));
  });

  it('answers every run when the children are lost, and is back with their container', async () => {
    await run('a');
    const victim = run('a', LOOP);
    host.kill('SIGKILL');
    expect(await victim).toMatchObject({ failure: { cause: 'thrown' }, spent: true });
    await until('the loss to be seen', () => pool.notReadyReason !== undefined);
    const waiting = run('a');
    host = startHost();
    expect(await waiting).toEqual(DONE);
  });

  it('ends its children with the supervisor, and serves the next one', async () => {
    await run('a');
    pool.close();
    await until('the children to end', () => childrenOf(host).length === 0);
    pool = newPool();
    expect(await run('a')).toEqual(DONE);
  });

  it('stops with its supervisor, not before', async () => {
    await run('a');
    host.kill('SIGTERM');
    expect(await run('a')).toEqual(DONE);
    pool.close();
    expect(await once(host, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['a second host', HOST_NAME],
    ['a child that nobody started', 'x'.repeat(NAME_BYTES)],
  ])('shows %s the door', async (_what, name) => {
    await run('a');
    const stranger = connect(path());
    stranger.write(name);
    await once(stranger.resume(), 'close');
    expect(await run('a')).toEqual(DONE);
  });
});
