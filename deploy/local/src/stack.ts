import type { ProcessName } from '@weir/contracts';
import type { Supervised } from '@weir/local-servers';
import type { StackFacts } from './environment.js';
import { residentBytes } from './memory.js';
import { type Programs, stopAll } from './stop-order.js';

/** A program of the stack: a process of Weir, or one of the embedded servers. */
export type ProgramName = ProcessName | 'postgres' | 'nats-server';

export interface ProgramInfo {
  /** `gateway.main`, `gateway.main-2` (second replica), `postgres`. */
  name: string;
  /** Undefined while it is down. */
  pid: number | undefined;
}

/** How to reach a stack. Plain data, so that other processes can receive it. */
export interface StackAddress {
  /** Base URL of each gateway, starting with the first replica. */
  urls: string[];
  email: string;
  accessToken: string;
  admin: { user: string; password: string };
  /** Base URL of each process's probes and metrics, by name. Empty unless requested. */
  opsUrls: Record<string, string>;
  /** All addresses that the stack binds, as `host:port`. */
  listens: { what: string; where: string }[];
  /** URL of the provisioned database with all schemas. */
  databaseUrl: string;
  natsUrl: string;
  dataDir: string;
}

/** Time for a program to return after a fault, on a machine that is busy with other things. */
const HEAL_TIMEOUT_MS = 120_000;
/** Time for a held program to stop. */
const HOLD_GRACE_MS = 4_000;

/** A running local stack. `replica` counts from 0. */
export class LocalStack {
  private stopping: Promise<void> | undefined;

  constructor(
    readonly address: StackAddress,
    private readonly running: Programs,
    /** Runs the migrations of the apps as they are now, for tests of an upgrade. */
    readonly migrate: () => Promise<void>,
    /** The facts that processes get when they start. Tests replace credentials in them. */
    readonly facts: StackFacts,
    private readonly release: () => void,
  ) {}

  /** Base URL of the first gateway. */
  get url(): string {
    return this.address.urls[0] ?? '';
  }

  programs(): ProgramInfo[] {
    return this.all().map(({ name, pid }) => ({ name, pid }));
  }

  /** Kills a program with SIGKILL. The supervisor restarts it. */
  kill(name: ProgramName, replica = 0): void {
    this.signal(name, 'SIGKILL', replica);
  }

  /** Sends any signal, for instance SIGSTOP and SIGCONT. */
  signal(name: ProgramName, signal: NodeJS.Signals, replica = 0): void {
    if (!this.find(name, replica).signal(signal)) throw new Error(`${name} is not running`);
  }

  /** Resolves once the program is ready, for instance after `kill`. */
  untilReady(name: ProgramName, replica = 0): Promise<void> {
    return this.find(name, replica).untilReady(HEAL_TIMEOUT_MS);
  }

  /** Stops a program and keeps it down until `resume`. */
  hold(name: ProgramName, replica = 0): Promise<void> {
    return this.find(name, replica).stop(HOLD_GRACE_MS);
  }

  resume(name: ProgramName, replica = 0): Promise<void> {
    return this.find(name, replica).start();
  }

  /** Resident bytes of each running Weir process, including its children. */
  rss(): Record<string, number> {
    const up = this.running.processes.filter((process) => process.pid !== undefined);
    return Object.fromEntries(up.map(({ name, pid }) => [name, residentBytes(pid ?? 0)]));
  }

  /** Ends everything within 15 s and releases the data directory. */
  stop(): Promise<void> {
    this.stopping ??= stopAll(this.running).finally(this.release);
    return this.stopping;
  }

  private all(): Supervised[] {
    return [...this.running.servers, ...this.running.processes];
  }

  private find(name: ProgramName, replica: number): Supervised {
    const wanted = replica === 0 ? name : `${name}-${replica + 1}`;
    const found = this.all().find((program) => program.name === wanted);
    if (!found) throw new Error(`this stack runs no ${wanted}`);
    return found;
  }
}
