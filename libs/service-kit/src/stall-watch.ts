import { PerformanceObserver, performance } from 'node:perf_hooks';
import { Logger } from '@nestjs/common';
import { onStall, STALL_MS } from '@weir/messaging';
import type { Metrics } from './metrics.js';

/** How often the watch checks the event loop: fifty times a second, some microseconds each. */
const TICK_MS = 20;
/** Node reports garbage collections with a delay. After this time a stall can be explained. */
const EXPLAIN_MS = 100;
const GC_KEPT_MS = 10_000;
const LOG_PAUSE_MS = 10_000;
const BUCKETS = [0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** No mark names the work. */
const UNKNOWN = 'unknown';
/** Many short pieces ran in a row before timers got their turn. No single one took long. */
const MANY = 'many';
/** The thread did not run: the process was stopped, or the machine was busy. */
const SUSPENDED = 'suspended';
const GC = 'gc';

/** With more callbacks than this in one turn of the loop, their number explains its length. */
const MANY_EVENTS = 64;
/** Garbage collection counts as the cause from this share of a stretch. */
const GC_SHARE_MIN = 0.5;

interface Stretch {
  work: string;
  ms: number;
  endedAt: number;
  /** Processor time of the thread within the stretch. */
  cpuMs: number;
}

/**
 * Reports each synchronous stretch over {@link STALL_MS} and names what the process was doing. Work marked with `during` reports
 * itself. A late timer reveals unmarked work. Garbage collection and suspension have their own names.
 */
export class StallWatch {
  private readonly logger = new Logger('EventLoop');
  private readonly stalls;
  private readonly timer: NodeJS.Timeout;
  private readonly collections: { from: number; to: number }[] = [];
  private readonly observer: PerformanceObserver;
  private readonly unsubscribe: () => void;
  private lastTick = performance.now();
  private lastCpu = threadCpuMs();
  private lastEvents = loopEvents();
  /** Milliseconds since the last tick that belong to marked work. */
  private markedMs = 0;
  private loggedAt = Number.NEGATIVE_INFINITY;
  private unlogged = 0;

  constructor(metrics: Pick<Metrics, 'histogram'>) {
    this.stalls = metrics.histogram({
      name: 'weir_event_loop_stall_seconds',
      help: `Synchronous stretches over ${STALL_MS} ms, by the work that held the event loop`,
      labelNames: ['work'],
      buckets: BUCKETS,
    });
    this.observer = new PerformanceObserver((list) => this.collected(list.getEntries()));
    this.observer.observe({ entryTypes: ['gc'] });
    this.unsubscribe = onStall((work, ms, endedAt) => {
      this.markedMs += ms;
      this.found({ work, ms, endedAt, cpuMs: threadCpuMs() - this.lastCpu });
    });
    // biome-ignore lint/style/noRestrictedGlobals: measures how late a plain timer is
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.observer.disconnect();
    this.unsubscribe();
  }

  private tick(): void {
    const now = performance.now();
    const events = loopEvents();
    const ms = now - this.lastTick - TICK_MS - this.markedMs;
    if (ms > STALL_MS) {
      const work = events - this.lastEvents > MANY_EVENTS ? MANY : UNKNOWN;
      this.found({ work, ms, endedAt: now, cpuMs: threadCpuMs() - this.lastCpu });
    }
    [this.lastTick, this.lastCpu, this.lastEvents, this.markedMs] = [now, threadCpuMs(), events, 0];
  }

  private found(stretch: Stretch): void {
    setTimeout(() => this.explain(stretch), EXPLAIN_MS).unref();
  }

  /** Reports the duration on an idle machine, without the time in which the thread did not run. */
  private explain({ work, ms, endedAt, cpuMs }: Stretch): void {
    const ownMs = Math.min(ms, cpuMs);
    if (this.isCollection(ms, endedAt)) this.report(GC, ms);
    else if (ownMs > STALL_MS) this.report(work, ownMs);
    else this.report(SUSPENDED, ms);
  }

  private isCollection(ms: number, endedAt: number): boolean {
    const from = endedAt - ms;
    const inGc = this.collections.reduce(
      (sum, one) => sum + Math.max(0, Math.min(one.to, endedAt) - Math.max(one.from, from)),
      0,
    );
    return inGc > GC_SHARE_MIN * ms;
  }

  private report(work: string, ms: number): void {
    this.stalls.observe({ work }, ms / 1_000);
    if (work === SUSPENDED) return;
    const now = performance.now();
    if (now - this.loggedAt < LOG_PAUSE_MS) {
      this.unlogged += 1;
      return;
    }
    const more = this.unlogged > 0 ? `, and ${this.unlogged} times more since the last such line` : '';
    this.logger.warn(`${work} held the event loop for ${Math.round(ms)} ms${more}`);
    [this.loggedAt, this.unlogged] = [now, 0];
  }

  private collected(entries: readonly { startTime: number; duration: number }[]): void {
    for (const { startTime, duration } of entries) this.collections.push({ from: startTime, to: startTime + duration });
    const oldest = performance.now() - GC_KEPT_MS;
    while (this.collections[0] && this.collections[0].to < oldest) this.collections.shift();
  }
}

/** Older Node only knows the time of the process. That may report a suspension as work, but never work as a suspension. */
function threadCpuMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1_000;
}

/** Callbacks that the loop has taken from the system. 0 if Node does not count them. */
const loopEvents = (): number => performance.nodeTiming.uvMetricsInfo?.events ?? 0;
