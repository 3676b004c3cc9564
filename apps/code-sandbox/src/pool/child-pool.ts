import { AppError } from '@weir/contracts';
import { CHILD_IDLE_MS, CHILD_SLICE_MS, MEMORY_MB, QUEUE_WAIT_MS, RUNS_PER_CHILD_MAX } from '../limits.js';
import type { ChildAnswer, ChildTask } from '../protocol.js';
import { FairQueue } from './fair-queue.js';
import { type Fetch, SandboxChild } from './sandbox-child.js';

/** A child that cannot even start is tried again after this. */
const RESTART_PAUSE_MS = 1_000;

export interface PoolOptions {
  /** The built child. */
  script: string;
  /** Children with a workspace; one spare stands by beside them. */
  children: number;
  /** Wall clock of one run. */
  limitMs: number;
  /** Heap of one isolate; MEMORY_MB by default. */
  memoryMb?: number;
  log: { warn(message: string): void };
  observer?: PoolObserver;
  /** After which an idle child goes; CHILD_IDLE_MS by default. */
  idleMs?: number;
}

export interface PoolObserver {
  /** A child ran into a limit (`timeout`, `memory`), had to be killed (`unresponsive`) or died (`died`, `crashed`). */
  killed(reason: string): void;
  /** A run got its child after this. */
  waited(ms: number): void;
  /** Whether a run's code was compiled already. */
  compiled(isWarm: boolean): void;
}

export type Work = Omit<ChildTask, 'id' | 'limitMs' | 'memoryMb'>;

interface Job {
  workspaceId: string;
  task: ChildTask;
  fetch: Fetch;
  settle: (answer: ChildAnswer) => void;
  timer: NodeJS.Timeout;
  queuedAt: number;
}

/**
 * Hands tasks to children. A child serves one workspace until the least recently used one has to go for another
 * workspace; one workspace never has all of them, so its endless loops do not hold up its neighbours.
 */
export class ChildPool {
  private readonly children = new Set<SandboxChild>();
  private readonly queue = new FairQueue<Job>();
  private lastId = 0;
  private closed = false;
  private restart: NodeJS.Timeout | undefined;

  private readonly idleMs: number;
  private readonly cleaning: NodeJS.Timeout;

  constructor(private readonly options: PoolOptions) {
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
  perform(workspaceId: string, work: Work, fetch: Fetch = noFetch): Promise<ChildAnswer> {
    if (this.closed || !this.queue.hasRoom(workspaceId)) return Promise.reject(busy());
    this.lastId += 1;
    const { limitMs, memoryMb = MEMORY_MB } = this.options;
    const task = { ...work, id: this.lastId, limitMs, memoryMb };
    return new Promise((settle, reject) => {
      const timer = setTimeout(() => {
        this.queue.remove(job);
        reject(busy());
      }, QUEUE_WAIT_MS);
      const job = { workspaceId, task, fetch, settle, timer, queuedAt: performance.now() };
      this.queue.add(job);
      this.dispatch();
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.restart);
    clearInterval(this.cleaning);
    for (const child of this.children) child.retire();
  }

  /** Gives every waiting job a child, workspaces in turn, as far as there are children for its workspace. */
  private dispatch(): void {
    this.queue.serve((job) => {
      const child = this.childFor(job.workspaceId);
      if (child) this.hand(job, child);
      return child !== undefined;
    });
    this.keepSpare();
  }

  private childFor(workspaceId: string): SandboxChild | undefined {
    const own = [...this.children].filter((child) => child.workspaceId === workspaceId);
    const idle = own.find((child) => !child.isBusy);
    if (idle || own.length >= Math.max(1, this.options.children - 1)) return idle;
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

  private hand(job: Job, child: SandboxChild): void {
    const { observer } = this.options;
    clearTimeout(job.timer);
    observer?.waited(performance.now() - job.queuedAt);
    void child.perform(job.task, job.fetch).then((answer) => {
      if (answer.isWarm !== undefined) observer?.compiled(answer.isWarm);
      if (answer.spent) observer?.killed(killReason(answer, child));
      if (answer.spent || child.runs >= RUNS_PER_CHILD_MAX) this.drop(child);
      job.settle(answer);
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

  private keepSpare(): void {
    if (this.closed || this.restart || [...this.children].some((child) => child.workspaceId === undefined)) return;
    this.start();
  }

  private start(): void {
    const child = new SandboxChild(this.options.script, {
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

function killReason({ failure }: ChildAnswer, child: SandboxChild): string {
  if (!child.isGone) return failure?.kind ?? 'unknown';
  return { timeout: 'unresponsive', memory: 'died', thrown: 'crashed' }[failure?.kind ?? 'thrown'];
}

const noFetch: Fetch = async ({ task, call }) => ({ type: 'fetched', task, call, error: 'fetch is not allowed' });
const busy = () => new AppError('unavailable', 'The sandbox is busy; try again');
