import { performance } from 'node:perf_hooks';
import type {
  FetchCall,
  ReplyOf,
  RunCode,
  SecretsLeftOut,
  StageFlags,
  StageMilliseconds,
  TestDetails,
} from '@weir/contracts';

/** Console output that one test shows, in characters. The sandbox allows the same for a single run. */
const LOG_LENGTH_MAX = 65_536;
const MORE = '… more was written';
/** `fetch` calls that one test shows. Equals ten runs with the maximum number of calls each. */
const FETCHES_MAX = 100;

/** Records the time per stage, the logs and the `fetch` calls of one test. */
export class TestTrace {
  private readonly startedAt = performance.now();
  private readonly spent: StageMilliseconds = {};
  private readonly logs: string[] = [];
  private readonly fetches: FetchCall[] = [];
  private logged = 0;
  private secretsLeftOut: SecretsLeftOut | undefined;

  /** Adds the duration of the work, even if it fails. */
  async time<T>(stage: keyof StageFlags, work: () => T | Promise<T>): Promise<T> {
    const before = performance.now();
    try {
      return await work();
    } finally {
      this.spent[stage] = rounded((this.spent[stage] ?? 0) + performance.now() - before);
    }
  }

  /** Adds the output of one run. */
  note({ logs, fetches = [] }: Pick<ReplyOf<typeof RunCode>, 'logs' | 'fetches'>): void {
    this.fetches.push(...fetches.slice(0, FETCHES_MAX - this.fetches.length));
    for (const line of logs) {
      if (this.logged > LOG_LENGTH_MAX) return;
      this.logged += line.length + 1;
      this.logs.push(this.logged > LOG_LENGTH_MAX ? MORE : line);
    }
  }

  /** Notes the stored secrets that an override left out. */
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
