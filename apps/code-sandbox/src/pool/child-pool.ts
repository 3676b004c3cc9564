import { availableParallelism } from 'node:os';
import { AppError } from '@weir/contracts';
import type { ChildHost } from '../host/child-host.js';
import { CHILD_IDLE_MS, CHILD_SLICE_MS, MEMORY_MB, QUEUE_WAIT_MS, RUNS_PER_CHILD_MAX, SPARES_MAX } from '../limits.js';
import { FairQueue } from './fair-queue.js';
import type { Answer, Fetch, Job, Work } from './job.js';
import { type Answered, SandboxChild } from './sandbox-child.js';
import { SharedRun } from './shared-run.js';

/** A child that cannot even start is tried again after this. */
const RESTART_PAUSE_MS = 1_000;

export interface PoolOptions {
  /** Where children run; it is closed with the pool. */
  host: ChildHost;
  /** Children with a workspace; one spare and more stand by beside them. */
  children: number;
  /** Wall clock of one run. */
  limitMs: number;
  /** Heap of one isolate; MEMORY_MB by default. */
  memoryMb?: number;
  log: { warn(message: string): void };
  observer?: PoolObserver;
  /** After which an idle child goes; CHILD_IDLE_MS by default. */
  idleMs?: number;
  /** After which a run that waits is refused; QUEUE_WAIT_MS by default. */
  queueWaitMs?: number | undefined;
}

export interface PoolObserver {
  /** A child ran into a limit (`timeout`, `memory`), had to be killed (`unresponsive`) or died (`died`, `crashed`). */
  killed(reason: string): void;
  /** A run got its child after this. */
  waited(ms: number): void;
  /** Whether a run's code was compiled already. */
  compiled(isWarm: boolean): void;
}

/**
 * Hands tasks to children. A child serves one workspace until the least recently used one has to go for another
 * workspace; one workspace never has all of them, so its endless loops do not hold up its neighbours. What waits for the
 * same code shares a run.
 */
export class ChildPool {
  private readonly children = new Set<SandboxChild>();
  private readonly queue = new FairQueue<Job>();
  private lastId = 0;
  private closed = false;
  private restart: NodeJS.Timeout | undefined;

  /** Children of one workspace: not all, and no more than can run at a time. */
  private readonly perWorkspace: number;
  private readonly idleMs: number;
  private readonly cleaning: NodeJS.Timeout;

  constructor(private readonly options: PoolOptions) {
    this.perWorkspace = Math.max(1, Math.min(options.children - 1, availableParallelism()));
    this.idleMs = options.idleMs ?? CHILD_IDLE_MS;
    this.cleaning = setInterval(() => this.dropIdle(), this.idleMs);
    this.start();
  }

  /** Why nothing can run now, if so. */
  get notReadyReason(): string | undefined {
    return [...this.children].some(({ isReady }) => isReady) ? undefined : 'no child process is ready';
  }

  /** Processes that serve the workspace; of `undefined`, those that stand by. */
  pidsOf(workspaceId: string | undefined): number[] {
    return [...this.children].filter((child) => child.workspaceId === workspaceId).flatMap(({ pid }) => pid ?? []);
  }

  /** Throws `unavailable` when no child gets free in time. User code that fails is an answer. */
  perform(
    workspaceId: string,
    work: Work,
    options: { fetch?: Fetch; limitMs?: number | undefined } = {},
  ): Promise<Answer> {
    const { fetch = noFetch } = options;
    const limitMs = Math.ceil(Math.min(options.limitMs ?? Number.POSITIVE_INFINITY, this.options.limitMs));
    if (this.closed || !this.queue.hasRoom(workspaceId)) return Promise.reject(busy());
    const identity = JSON.stringify([work.bundle, work.credentials]);
    return new Promise((settle, reject) => {
      const timer = setTimeout(() => {
        this.queue.remove(job);
        reject(busy());
      }, this.options.queueWaitMs ?? QUEUE_WAIT_MS);
      const job = { workspaceId, work, identity, limitMs, fetch, settle, timer, queuedAt: performance.now() };
      this.queue.add(job);
      this.dispatch();
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.restart);
    clearInterval(this.cleaning);
    for (const child of this.children) child.retire();
    this.options.host.close();
  }

  /** Gives every waiting job a child, workspaces in turn, as far as there are children for its workspace. */
  private dispatch(): void {
    this.queue.serve((job) => {
      const child = this.childFor(job);
      if (child) this.hand(job, child);
      return child !== undefined;
    });
    this.keepSpares();
  }

  /** One that had the same code last has it at hand. */
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

  /** Whether one more child may have a workspace; the least recently used idle one goes for it. */
  private makeRoom(): boolean {
    const assigned = [...this.children].filter((child) => child.workspaceId !== undefined);
    if (assigned.length < this.options.children) return true;
    const free = assigned.filter((child) => !child.isBusy && !this.isWithinItsSlice(child));
    const [oldest] = free.sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    if (oldest) this.drop(oldest);
    return oldest !== undefined;
  }

  /** Else two workspaces that take turns would have a new child for every run. */
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
      const { isWarm, spent } = answered;
      if (isWarm !== undefined) observer?.compiled(isWarm);
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

  /** One stands by always, more when several workspaces wait for one. */
  private keepSpares(): void {
    if (this.closed || this.restart) return;
    const spares = [...this.children].filter((child) => child.workspaceId === undefined).length;
    const wanted = Math.min(SPARES_MAX, Math.max(1, this.queue.waiting));
    for (let more = spares; more < wanted; more += 1) this.start();
  }

  private start(): void {
    const child = new SandboxChild(this.options.host, this.options.memoryMb ?? MEMORY_MB, {
      ready: () => this.dispatch(),
      gone: (unexpected) => this.lose(child, unexpected),
    });
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
  if (!child.isGone) return failure?.kind ?? 'unknown';
  return { timeout: 'unresponsive', memory: 'died', thrown: 'crashed' }[failure?.kind ?? 'thrown'];
}

const noFetch: Fetch = async ({ task, call }) => ({ type: 'fetched', task, call, error: 'fetch is not allowed' });
const busy = () => new AppError('unavailable', 'The sandbox is busy; try again');
