import { SingleFlight } from './concurrency.js';
import type { Log } from './lease-keeper.js';

export interface PeriodicOptions {
  /** Names the work in the log and the metrics: 'count deliveries' gives 'cannot count deliveries yet'. A fixed text. */
  task: string;
  everyMs: number;
  run: () => unknown;
  log: Log;
  /** Runs once more when it stops, for work that waits in memory. */
  runsAtStop?: boolean;
  /** Processes that start together drift apart by up to this share of the interval. For work that one of them could do for all. */
  jitter?: number;
}

const failures = new Map<string, number>();

/** Number of failed turns in this process, by task. A task that never failed is listed with 0. */
export const periodicFailures = (): ReadonlyMap<string, number> => failures;

/**
 * Runs work at an interval, one turn at a time. A turn that takes longer than the interval delays the next one. A turn that fails
 * is logged and counted, and the next one tries again. Does not keep the process alive.
 */
export class Periodic {
  private readonly flight = new SingleFlight(() => this.turn());
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private stopped = false;

  constructor(private readonly options: PeriodicOptions) {
    failures.set(options.task, failures.get(options.task) ?? 0);
  }

  /** The first turn comes after the interval. Starts again after `stop`, too. */
  start(): void {
    const { everyMs, jitter = 0 } = this.options;
    clearInterval(this.timer);
    this.stopped = false;
    // biome-ignore lint/style/noRestrictedGlobals: the one place that repeats work
    const timer = setInterval(() => this.tick(), everyMs * (1 + jitter * Math.random()));
    this.timer = timer.unref();
  }

  /** Resolves after the running turn. Long work looks at {@link isStopped} to end early. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.flight.run();
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Runs a turn that begins after the call. Callers who wait share one turn. Never rejects, and does nothing after `stop`. */
  run(): Promise<void> {
    return this.flight.run();
  }

  private tick(): void {
    if (!this.isRunning) void this.run();
  }

  private async turn(): Promise<void> {
    const { task, run, log, runsAtStop = false } = this.options;
    if (this.stopped && !runsAtStop) return;
    this.isRunning = true;
    try {
      await run();
    } catch (error) {
      failures.set(task, (failures.get(task) ?? 0) + 1);
      log.warn(`cannot ${task} yet: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.isRunning = false;
    }
  }
}
