import type { Socket } from 'node:net';
import type { CodeRuntime } from '@weir/contracts';
import type { ChildHost, StartedChild } from '../host/child-host.js';
import { CHILD_START_MS, FETCHES_PER_RUN_MAX, FRAME_BYTES_MAX, KILL_GRACE_MS } from '../limits.js';
import { commaJoined } from '../wire/comma-joined.js';
import { FrameReader, frameOf, sendFrame } from '../wire/frames.js';
import { HeldBundles } from '../wire/held-bundles.js';
import {
  ChildAnswer,
  type ChildTask,
  CRASHED,
  type Failure,
  FetchAsk,
  type FullTask,
  Judged,
} from '../wire/protocol.js';
import type { Fetch } from './job.js';

/** The answer of a child, with the raw output of the driver. */
export interface Answered extends ChildAnswer {
  outcome: Buffer;
  /** The runtime of the code, in tests. Present even after a limit, so that slow machines show the same. Absent if it does not load. */
  runtime?: CodeRuntime;
}

export interface ChildEvents {
  ready(): void;
  /** The child is gone. `unexpected` contains its last output if nobody stopped it. */
  gone(unexpected?: string): void;
}

/** The code that the child ran last, and its speed. */
export interface LastRun {
  identity: string;
  msPerEvent: number;
}

interface Pending {
  task: FullTask;
  fetch: Fetch;
  /** Remaining `fetch` calls. */
  fetchesLeft: number;
  runtime?: CodeRuntime;
  settle: (answer: Answered) => void;
}

/** One child process as the supervisor sees it. Runs one task at a time, and is killed if it does not answer. */
export class SandboxChild {
  /** The workspace whose code it runs. Never changes, because leftovers of one workspace must not meet another. */
  workspaceId: string | undefined;
  assignedAt = 0;
  lastUsedAt = 0;
  lastRun: LastRun = { identity: '', msPerEvent: 0 };
  runs = 0;
  isReady = false;
  /** The process has ended. */
  isGone = false;
  private readonly process: StartedChild;
  private socket: Socket | undefined;
  private pending: Pending | undefined;
  /** Bundles that the child holds. */
  private readonly held = new HeldBundles<true>();
  private timer: NodeJS.Timeout;
  private killedFor: 'retired' | 'timeout' | undefined;

  constructor(
    host: ChildHost,
    memoryMb: number,
    private readonly events: ChildEvents,
    private readonly killGraceMs = KILL_GRACE_MS,
  ) {
    this.process = host.start(memoryMb, {
      connected: (socket) => this.listenTo(socket),
      ended: (signal, lastWords) => this.end(signal, lastWords),
    });
    this.timer = setTimeout(() => this.process.kill(), CHILD_START_MS);
  }

  get isBusy(): boolean {
    return this.pending !== undefined;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Always resolves. The task fails if the child dies or hangs. */
  perform(task: FullTask, events: readonly Buffer[], fetch: Fetch): Promise<Answered> {
    this.runs += 1;
    this.lastUsedAt = Date.now();
    return new Promise((settle) => {
      this.pending = { task, fetch, fetchesLeft: task.allowFetch ? FETCHES_PER_RUN_MAX : 0, settle };
      this.timer = setTimeout(() => this.kill('timeout'), task.limitMs + this.killGraceMs);
      if (this.socket) sendFrame(this.socket, this.withoutHeld(task), commaJoined(events));
    });
  }

  /** The task as the child needs it. */
  private withoutHeld(task: FullTask): ChildTask {
    if (this.held.use(task.digest)) return { ...task, bundle: undefined };
    this.held.hold(task.digest, task.bundle, true);
    return task;
  }

  retire(): void {
    this.kill('retired');
  }

  private kill(reason: 'retired' | 'timeout'): void {
    this.killedFor ??= reason;
    this.process.kill();
  }

  private listenTo(socket: Socket): void {
    const reader = new FrameReader(FRAME_BYTES_MAX, (head, body) => this.receive(head, body));
    socket.on('data', (chunk) => this.read(reader, chunk));
    socket.on('error', () => undefined);
    this.socket = socket;
  }

  private read(reader: FrameReader, chunk: Buffer): void {
    if (this.killedFor) return; // ignore what a killed child still sends
    try {
      reader.push(chunk);
    } catch {
      this.kill('retired');
    }
  }

  private receive(head: unknown, outcome: Buffer): void {
    if (!this.isReady) {
      clearTimeout(this.timer);
      this.isReady = true;
      this.events.ready();
      return;
    }
    const answer = ChildAnswer.safeParse(head).data;
    if (answer) {
      if (answer.id === this.pending?.task.id) this.settle({ ...answer, outcome });
      else this.kill('retired');
      return;
    }
    const ask = FetchAsk.safeParse(head).data;
    const judged = Judged.safeParse(head).data;
    if (ask) this.fetch(ask);
    else if (judged && judged.task === this.pending?.task.id) this.pending.runtime = judged.runtime;
    else this.kill('retired');
  }

  /**
   * Makes a call only for the current task, so that a hijacked child gains nothing from earlier ones. A correct child counts its
   * calls. One that exceeds the limit or names another task is compromised, so it is killed.
   */
  private fetch(ask: FetchAsk): void {
    const { pending } = this;
    if (!pending || ask.task !== pending.task.id || pending.fetchesLeft === 0) {
      this.kill('retired');
      return;
    }
    pending.fetchesLeft -= 1;
    void pending.fetch(ask).then((answer) => {
      if (this.pending === pending) this.socket?.write(frameOf(answer));
    });
  }

  private end(signal: string | null, lastWords: string): void {
    this.isGone = true;
    const wasAskedTo = this.killedFor !== undefined;
    const failure = this.failureOf(signal);
    this.settle({ id: this.pending?.task.id ?? 0, logs: [], spent: true, failure, outcome: Buffer.alloc(0) });
    this.events.gone(wasAskedTo ? undefined : `${signal ?? 'exit'} ${lastWords}`);
  }

  /**
   * V8 aborts if it cannot get memory in time, and the system kills processes that take too much. SIGSEGV points to a fault of
   * V8, which occurs when it compiles a function with no stack left.
   */
  private failureOf(signal: string | null): Failure {
    if (this.killedFor === 'timeout') return { cause: 'timeout' };
    if (this.killedFor === undefined && signal && signal !== 'SIGSEGV') return { cause: 'memory' };
    return { cause: 'thrown', error: { message: CRASHED } };
  }

  private settle(answer: Answered): void {
    clearTimeout(this.timer);
    const { pending } = this;
    this.pending = undefined;
    const runtime = answer.failure?.cause === 'thrown' ? undefined : pending?.runtime;
    pending?.settle({ ...answer, ...(runtime && { runtime }) });
  }
}
