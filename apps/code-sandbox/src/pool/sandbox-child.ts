import { type ChildProcess, fork } from 'node:child_process';
import { CHILD_START_MS, KILL_GRACE_MS } from '../limits.js';
import { ChildAnswer, type ChildTask, type Failure, type FetchAnswer, FetchAsk } from '../protocol.js';
import { CRASHED } from '../user-error.js';
import { childFlags } from './child-flags.js';

/** Last words of a child that died, for the log. */
const STDERR_CHARS_MAX = 2_000;

/** Carries out one `fetch` of the task's user code. Never rejects. */
export type Fetch = (ask: FetchAsk) => Promise<FetchAnswer>;

export interface ChildEvents {
  ready(): void;
  /** It is gone; `unexpected` says what it left behind when nobody had asked it to go. */
  gone(unexpected?: string): void;
}

/** One child process as the supervisor sees it: does one task at a time, and is killed when it does not answer. */
export class SandboxChild {
  /** Whose code it runs. Never changes: what one workspace left in it must not meet another. */
  workspaceId: string | undefined;
  assignedAt = 0;
  lastUsedAt = 0;
  runs = 0;
  isReady = false;
  /** The process has ended. */
  isGone = false;
  private readonly process: ChildProcess;
  private pending: { task: ChildTask; fetch: Fetch; settle: (answer: ChildAnswer) => void } | undefined;
  private timer: NodeJS.Timeout;
  private killedFor: 'retired' | 'timeout' | undefined;
  private stderr = '';

  constructor(
    script: string,
    private readonly events: ChildEvents,
  ) {
    this.process = fork(script, {
      env: {},
      execArgv: childFlags(script),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.timer = setTimeout(() => this.process.kill('SIGKILL'), CHILD_START_MS);
    this.process.stderr?.on('data', (chunk) => {
      this.stderr = `${this.stderr}${chunk}`.slice(-STDERR_CHARS_MAX);
    });
    this.process.on('message', (message) => this.receive(message));
    this.process.on('error', () => undefined);
    this.process.once('close', (_code, signal) => this.end(signal));
  }

  get isBusy(): boolean {
    return this.pending !== undefined;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Always answers: a child that dies or hangs has failed the task. */
  perform(task: ChildTask, fetch: Fetch): Promise<ChildAnswer> {
    this.runs += 1;
    this.lastUsedAt = Date.now();
    return new Promise((settle) => {
      this.pending = { task, fetch, settle };
      this.timer = setTimeout(() => this.kill('timeout'), task.limitMs + KILL_GRACE_MS);
      this.process.send(task, (error) => error && this.kill('retired'));
    });
  }

  retire(): void {
    this.kill('retired');
  }

  private kill(reason: 'retired' | 'timeout'): void {
    this.killedFor ??= reason;
    this.process.kill('SIGKILL');
  }

  private receive(message: unknown): void {
    if (!this.isReady) {
      clearTimeout(this.timer);
      this.isReady = true;
      this.events.ready();
      return;
    }
    const ask = FetchAsk.safeParse(message).data;
    const answer = ChildAnswer.safeParse(message).data;
    if (ask) this.fetch(ask);
    else if (answer?.id === this.pending?.task.id && answer) this.settle(answer);
    else this.kill('retired');
  }

  /** Asked on behalf of the task at hand only: whoever took a child over gets nothing out of an older one's rights. */
  private fetch(ask: FetchAsk): void {
    const { pending } = this;
    if (!pending?.task.allowFetch || ask.task !== pending.task.id) return;
    void pending.fetch(ask).then((answer) => {
      if (this.pending === pending) this.process.send(answer, () => undefined);
    });
  }

  private end(signal: NodeJS.Signals | null): void {
    this.isGone = true;
    const wasAskedTo = this.killedFor !== undefined;
    this.settle({ id: this.pending?.task.id ?? 0, logs: [], spent: true, failure: this.failureOf(signal) });
    this.events.gone(wasAskedTo ? undefined : `${signal ?? 'exit'} ${this.stderr}`);
  }

  /** V8 aborts when it cannot get memory in time, and the system kills what takes too much. */
  private failureOf(signal: NodeJS.Signals | null): Failure {
    if (this.killedFor === 'timeout') return { kind: 'timeout', text: '' };
    if (this.killedFor === undefined && signal) return { kind: 'memory', text: '' };
    return { kind: 'thrown', text: CRASHED };
  }

  private settle(answer: ChildAnswer): void {
    clearTimeout(this.timer);
    const { pending } = this;
    this.pending = undefined;
    pending?.settle(answer);
  }
}
