import { performance } from 'node:perf_hooks';
import type { StageFlags, StageMilliseconds, TestDetails } from '@weir/contracts';

/** Characters of console output that one test shows; the sandbox allows as much for a single run. */
const LOG_LENGTH_MAX = 65_536;
const MORE = '… more was written';

/** How long the stages of one test took and what its code logged. */
export class TestRecord {
  private readonly startedAt = performance.now();
  private readonly spent: StageMilliseconds = {};
  private readonly logs: string[] = [];
  private logged = 0;

  /** Adds the time that the work takes, also when it fails. */
  async time<T>(stage: keyof StageFlags, work: () => T | Promise<T>): Promise<T> {
    const before = performance.now();
    try {
      return await work();
    } finally {
      this.spent[stage] = rounded((this.spent[stage] ?? 0) + performance.now() - before);
    }
  }

  log(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.logged > LOG_LENGTH_MAX) return;
      this.logged += line.length + 1;
      this.logs.push(this.logged > LOG_LENGTH_MAX ? MORE : line);
    }
  }

  get details(): TestDetails {
    const total = rounded(performance.now() - this.startedAt);
    return { milliseconds: { ...this.spent, total }, logs: this.logs };
  }
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
