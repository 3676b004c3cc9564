import { performance } from 'node:perf_hooks';
import type {
  FetchRecord,
  ReplyOf,
  RunCode,
  SecretsLeftOut,
  StageFlags,
  StageMilliseconds,
  TestDetails,
} from '@weir/contracts';

/** Characters of console output that one test shows; the sandbox allows as much for a single run. */
const LOG_LENGTH_MAX = 65_536;
const MORE = '… more was written';
/** Calls of `fetch` that one test shows: ten runs that make as many as the sandbox lets them. */
const FETCHES_MAX = 100;

/** How long the stages of one test took, what its code logged and whom it called. */
export class TestRecord {
  private readonly startedAt = performance.now();
  private readonly spent: StageMilliseconds = {};
  private readonly logs: string[] = [];
  private readonly fetches: FetchRecord[] = [];
  private logged = 0;
  private secretsLeftOut: SecretsLeftOut | undefined;

  /** Adds the time that the work takes, also when it fails. */
  async time<T>(stage: keyof StageFlags, work: () => T | Promise<T>): Promise<T> {
    const before = performance.now();
    try {
      return await work();
    } finally {
      this.spent[stage] = rounded((this.spent[stage] ?? 0) + performance.now() - before);
    }
  }

  /** What one run of the code told. */
  note({ logs, fetches = [] }: Pick<ReplyOf<typeof RunCode>, 'logs' | 'fetches'>): void {
    this.fetches.push(...fetches.slice(0, FETCHES_MAX - this.fetches.length));
    for (const line of logs) {
      if (this.logged > LOG_LENGTH_MAX) return;
      this.logged += line.length + 1;
      this.logs.push(this.logged > LOG_LENGTH_MAX ? MORE : line);
    }
  }

  /** Stored secrets that an override does without, if any. */
  leftOut(secrets: SecretsLeftOut | undefined): void {
    this.secretsLeftOut = secrets;
  }

  get details(): TestDetails {
    const total = rounded(performance.now() - this.startedAt);
    const { fetches, logs, secretsLeftOut } = this;
    return {
      milliseconds: { ...this.spent, total },
      logs,
      ...(fetches.length > 0 && { fetches }),
      ...(secretsLeftOut && { secretsLeftOut }),
    };
  }
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
