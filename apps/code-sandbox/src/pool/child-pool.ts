import { availableParallelism } from 'node:os';
import { AppError } from '@weir/contracts';
import type { ChildHost } from '../host/child-host.js';
import { CHILD_IDLE_MS, CHILD_SLICE_MS, MEMORY_MB, QUEUE_WAIT_MS, RUNS_PER_CHILD_MAX, SPARES_MAX } from '../limits.js';
import type { ContextUsed } from '../wire/protocol.js';
import { digestOf } from './bundle-digest.js';
import { FairQueue } from './fair-queue.js';
import type { Answer, Fetch, Job, Work } from './job.js';
import { type Answered, SandboxChild } from './sandbox-child.js';
import { SharedRun } from './shared-run.js';

/** Pause after a child failed to start. */
const RESTART_PAUSE_MS = 1_000;

export interface PoolOptions {
  /** Where children run. Closes with the pool. */
  host: ChildHost;
  /** Children that may have a workspace. Spares come on top. */
  children: number;
  /** Wall-clock limit of one run. */
  limitMs: number;
  /** Heap limit of one isolate. Default: MEMORY_MB. */
  memoryMb?: number;
  /** Time after the limit in which a child has to say so itself. Default: KILL_GRACE_MS. */
  killGraceMs?: number;
  log: { warn(message: string): void };
  observer?: PoolObserver;
  /** Time after which an idle child stops. Default: CHILD_IDLE_MS. */
  idleMs?: number;
  /** Time after which a waiting run is refused. Default: QUEUE_WAIT_MS. */
  queueWaitMs?: number | undefined;
}

export interface PoolObserver {
  /** A child hit a limit (`timeout`, `memory`), had to be killed (`unresponsive`) or died (`died`, `crashed`). */
  killed(reason: string): void;
  /** A run got its child after this time. */
  waited(ms: number): void;
  /** Whether the code of a run was already compiled. */
  compiled(isCompiled: boolean): void;
  /** A run got this context. */
  ran(context: ContextUsed): void;
}

/**
 * Assigns tasks to children. A child serves one workspace. The least recently used child makes room if another workspace needs
 * one. No workspace ever has all children, so its endless loops never block the others. Calls that wait for the same code share a
 * run.
 */
export class ChildPool {
  private readonly children = new Set<SandboxChild>();
  private readonly queue = new FairQueue<Job>();
  private lastId = 0;
  private closed = false;
  private restart: NodeJS.Timeout | undefined;
  private dispatching: NodeJS.Immediate | undefined;

  /** Children per workspace: never all, and one fewer than there are processors, because loops use all of theirs. */
  private readonly perWorkspace: number;
  private readonly idleMs: number;
  private readonly cleaning: NodeJS.Timeout;

  constructor(private readonly options: PoolOptions) {
    this.perWorkspace = Math.max(1, Math.min(options.children, availableParallelism()) - 1);
    this.idleMs = options.idleMs ?? CHILD_IDLE_MS;
    // biome-ignore lint/style/noRestrictedGlobals: the pool also runs in the command line, without a broker
    this.cleaning = setInterval(() => this.dropIdle(), this.idleMs);
    this.start();
  }

  /** Returns why nothing can run now, if so. */
  get notReadyReason(): string | undefined {
    return [...this.children].some(({ isReady }) => isReady) ? undefined : 'no child process is ready';
  }

  /** Pids of the children of a workspace. `undefined` selects the spares. */
  pidsOf(workspaceId: string | undefined): number[] {
    return [...this.children].filter((child) => child.workspaceId === workspaceId).flatMap(({ pid }) => pid ?? []);
  }

  /** Throws `unavailable` if no child becomes free in time. Failing user code is an answer. */
  perform(
    workspaceId: string,
    work: Work,
    options: { fetch?: Fetch; limitMs?: number | undefined } = {},
  ): Promise<Answer> {
    const { fetch = noFetch } = options;
    const limitMs = Math.ceil(Math.min(options.limitMs ?? Number.POSITIVE_INFINITY, this.options.limitMs));
    if (this.closed || !this.queue.hasRoom(workspaceId)) return Promise.reject(busy());
    const digest = digestOf(work.bundle);
    const identity = `${digest}${JSON.stringify(work.credentials)}`;
    return new Promise((settle, reject) => {
      const timer = setTimeout(() => {
        this.queue.remove(job);
        reject(busy());
      }, this.options.queueWaitMs ?? QUEUE_WAIT_MS);
      const asked = { workspaceId, work, digest, identity, limitMs, fetch };
      const job = { ...asked, settle, timer, queuedAt: performance.now() };
      this.queue.add(job);
      this.dispatchSoon();
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.restart);
    clearImmediate(this.dispatching);
    clearInterval(this.cleaning);
    for (const child of this.children) child.retire();
    this.options.host.close();
  }

  /** Waits until everything that has arrived is read, so that calls for the same code that came together share a run. */
  private dispatchSoon(): void {
    this.dispatching ??= setImmediate(() => {
      this.dispatching = undefined;
      this.dispatch();
    });
  }

  /** Gives waiting jobs a child, workspaces in turn, while children are available. */
  private dispatch(): void {
    this.queue.serve((job) => {
      const child = this.childFor(job);
      if (child) this.hand(job, child);
      return child !== undefined;
    });
    this.keepSpares();
  }

  /** Prefers a child that ran the same code last. */
  private childFor({ workspaceId, identity }: Job): SandboxChild | undefined {
    const own = [...this.children].filter((child) => child.workspaceId === workspaceId);
    const free = own.filter((child) => !child.isBusy);
    const idle = free.find((child) => child.lastRun.identity === identity) ?? free[0];
    if (idle || own.length >= this.perWorkspace) return idle;
    const spare = [...this.children].find((child) => child.isReady && child.workspaceId === undefined);
    if (!spare || !this.makeRoom()) return undefined;
    spare.workspaceId = workspaceId;
    spare.assignedAt = Date.now();
    return spare;
  }

  /** Whether another child may take a workspace. If necessary, stops the least recently used idle child. */
  private makeRoom(): boolean {
    const assigned = [...this.children].filter((child) => child.workspaceId !== undefined);
    if (assigned.length < this.options.children) return true;
    const free = assigned.filter((child) => !child.isBusy && !this.isWithinItsSlice(child));
    const [oldest] = free.sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    if (oldest) this.drop(oldest);
    return oldest !== undefined;
  }

  /** Protects a new child for a moment. Otherwise two workspaces that alternate would start a child for every run. */
  private isWithinItsSlice({ workspaceId, assignedAt }: SandboxChild): boolean {
    return this.queue.waits(workspaceId) && Date.now() - assignedAt < CHILD_SLICE_MS;
  }

  private hand(first: Job, child: SandboxChild): void {
    const { observer } = this.options;
    const shared = new SharedRun(first, child.lastRun);
    this.queue.take(first.workspaceId, (job) => shared.accepts(job));
    for (const job of shared.jobs) {
      clearTimeout(job.timer);
      observer?.waited(performance.now() - job.queuedAt);
    }
    this.lastId += 1;
    void child.perform(shared.taskOf(this.lastId), shared.events, first.fetch).then((answered) => {
      const { isCompiled, context, spent } = answered;
      if (isCompiled !== undefined) observer?.compiled(isCompiled);
      if (context !== undefined) observer?.ran(context);
      if (context === 'kept') child.runs -= 1;
      if (spent) observer?.killed(killReason(answered, child));
      if (spent || child.runs >= RUNS_PER_CHILD_MAX) this.drop(child);
      child.lastRun = shared.measured();
      void shared.settle(answered);
      this.dispatch();
    });
  }

  private dropIdle(): void {
    for (const child of this.children) {
      const isIdle = child.workspaceId !== undefined && !child.isBusy && Date.now() - child.lastUsedAt > this.idleMs;
      if (isIdle) this.drop(child);
    }
  }

  private drop(child: SandboxChild): void {
    this.children.delete(child);
    child.retire();
  }

  /** Keeps one spare, or more while several workspaces wait. */
  private keepSpares(): void {
    if (this.closed || this.restart) return;
    const spares = [...this.children].filter((child) => child.workspaceId === undefined).length;
    const wanted = Math.min(SPARES_MAX, Math.max(1, this.queue.waiting));
    for (let more = spares; more < wanted; more += 1) this.start();
  }

  private start(): void {
    const { host, memoryMb = MEMORY_MB, killGraceMs } = this.options;
    const events = {
      ready: () => this.dispatch(),
      gone: (unexpected: string | undefined) => this.lose(child, unexpected),
    };
    const child: SandboxChild = new SandboxChild(host, memoryMb, events, killGraceMs);
    this.children.add(child);
  }

  private lose(child: SandboxChild, unexpected: string | undefined): void {
    this.children.delete(child);
    if (unexpected !== undefined) this.options.log.warn(`a child process died: ${unexpected}`);
    if (!this.closed && !child.isReady) this.pauseStarting();
    this.dispatch();
  }

  private pauseStarting(): void {
    this.restart ??= setTimeout(() => {
      this.restart = undefined;
      this.dispatch();
    }, RESTART_PAUSE_MS);
  }
}

function killReason({ failure }: Answered, child: SandboxChild): string {
  if (!child.isGone) return failure?.cause ?? 'unknown';
  return { timeout: 'unresponsive', memory: 'died', thrown: 'crashed' }[failure?.cause ?? 'thrown'];
}

const noFetch: Fetch = async ({ task, call }) => ({ type: 'fetched', task, call, error: 'fetch is not allowed' });
const busy = () => new AppError('unavailable', 'The sandbox is busy. Try again');
