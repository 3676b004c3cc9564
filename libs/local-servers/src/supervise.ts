import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, StackFault } from './fault.js';
import { type Guard, guardServer } from './guard.js';
import { type ProcessRecords, signalProcess } from './process-records.js';

/** A program that is not ready in time counts as failed. A cold start of all processes on two cores takes a fifth of this. */
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 25;

export interface Program {
  name: string;
  spawn(): ChildProcess;
  /** Resolves once the child works. It may ignore the child's exit, and must stop when the signal aborts. */
  ready(child: ChildProcess, signal: AbortSignal): Promise<void>;
  stopSignal: NodeJS.Signals;
  /** File of its output. Absent if it uses the launcher's own output. */
  logFile?: string;
  /** A server that does not know the launcher and needs a guard to end with it. */
  guarded?: boolean;
}

export interface SupervisorContext {
  records: ProcessRecords;
  /** Called once if a program fails repeatedly. */
  giveUp(fault: StackFault): void;
}

/** Keeps one program running: restarts a child that ends unexpectedly, on the same port and data. */
export class Supervised {
  private child: ChildProcess | undefined;
  private wanted = false;
  private isReady = false;
  private quickFailures = 0;

  constructor(
    private readonly program: Program,
    private readonly context: SupervisorContext,
  ) {}

  get name(): string {
    return this.program.name;
  }

  /** Undefined while the program is down. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Resolves when the program is ready. Reports a failure of this first start instead of retrying. */
  async start(): Promise<void> {
    this.wanted = true;
    await this.launch();
  }

  async untilReady(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (!this.isReady) {
      if (Date.now() > end) throw new Error(`${this.name} is not ready after ${timeoutMs} ms`);
      await delay(POLL_MS);
    }
  }

  /** Asks the program to stop, and kills it after the grace period. */
  async stop(graceMs: number): Promise<void> {
    this.wanted = false;
    const child = this.child;
    if (!child) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    child.kill(this.program.stopSignal);
    await ended;
    clearTimeout(timer);
  }

  /** Sends a signal to the running child, for tests. Returns whether there was one. */
  signal(signal: NodeJS.Signals): boolean {
    if (this.child?.pid === undefined) return false;
    if (signal === 'SIGKILL') this.isReady = false;
    signalProcess(this.child.pid, signal);
    return true;
  }

  private async launch(): Promise<void> {
    const child = this.program.spawn();
    const aborter = new AbortController();
    const ended = this.follow(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
    try {
      const failed = ended.then((how) => Promise.reject(this.fault(`ended before it was ready (${how})`)));
      await Promise.race([this.program.ready(child, aborter.signal), failed]);
      this.isReady = true;
    } finally {
      aborter.abort();
      clearTimeout(timer);
    }
    const readyAt = Date.now();
    void ended.then((how) => this.heal(how, Date.now() - readyAt));
  }

  /** Tracks the child from start to end. Resolves with how it ended. */
  private follow(child: ChildProcess): Promise<string> {
    let guard: Guard | undefined;
    if (child.pid !== undefined) {
      this.child = child;
      this.context.records.add(this.name, child.pid);
      if (this.program.guarded) guard = guardServer(child.pid);
    }
    return new Promise((resolve) => {
      const leave = (how: string) => {
        guard?.dismiss();
        this.context.records.remove(this.name);
        this.child = undefined;
        this.isReady = false;
        resolve(how);
      };
      child.once('exit', (code, signal) => leave(signal ?? `exit code ${code}`));
      child.once('error', (error) => leave(messageOf(error)));
    });
  }

  private async heal(how: string, ranMs: number): Promise<void> {
    this.quickFailures = ranMs < QUICK_FAILURE_MS ? this.quickFailures + 1 : 0;
    let reason = how;
    while (this.wanted) {
      if (this.quickFailures > QUICK_FAILURES_MAX) return this.despair(reason);
      await delay(backoffMs(this.quickFailures));
      if (!this.wanted) return;
      try {
        return await this.launch();
      } catch (error) {
        reason = messageOf(error);
        this.quickFailures += 1;
      }
    }
  }

  private despair(reason: string): void {
    this.wanted = false;
    this.context.giveUp(this.fault(`fails again and again (${reason})`));
  }

  private fault(what: string): StackFault {
    const { logFile } = this.program;
    return new StackFault(`${this.name} ${what}: ${logFile ? `see ${logFile}` : 'its log above says why'}.`);
  }
}

/** A program that ends sooner than this after it was ready has not recovered. */
const QUICK_FAILURE_MS = 2_000;
/** After this many quick failures in a row (about 15 s including waits), the fault is permanent. */
export const QUICK_FAILURES_MAX = 8;

const FIRST_WAIT_MS = 50;
const WAIT_MS_MAX = 5_000;

/** Wait before the next start: short after a single fault, longer when it repeats. */
export const backoffMs = (quickFailures: number): number => Math.min(FIRST_WAIT_MS * 2 ** quickFailures, WAIT_MS_MAX);
