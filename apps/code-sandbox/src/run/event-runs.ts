import { type CodeRuntime, isAppError } from '@weir/contracts';
import { during } from '@weir/messaging';
import { CALL_LIMIT_MS, PARTIAL_RUN_LIMIT_MIN_MS } from '../limits.js';
import type { Answer, Work } from '../pool/job.js';
import { type Outcome, readGroup, resultJson, type StrayError } from '../wire/outcome.js';
import { CRASHED, type Failure, userErrorOf } from '../wire/protocol.js';

/** Runs events, within `limitMs` if that is shorter than the usual limit. Rejects with `unavailable`. */
export type Perform = (work: Work, limitMs?: number) => Promise<Answer>;

const NOT_READABLE: Failure = { cause: 'thrown', error: { message: CRASHED }, isOfCode: true };

/**
 * Runs the events of one caller and collects their results. If a run hits a limit, its unfinished events run again. They run
 * first without other callers' events, then each alone with its share of the remaining time. This finds the event that loops or
 * exhausts memory, and spares the others.
 */
export class EventRuns {
  /** The JSON of one `EventResult` per event, in input order. Complete after {@link run}. */
  readonly results: (Buffer | undefined)[];
  readonly strays: StrayError[] = [];
  logs: string[] = [];
  /** Runtime of the code, in tests. */
  runtime: CodeRuntime | undefined;
  /** Failure of the first run, if any. */
  failure: Failure | undefined;
  /** The results do not fit one reply. */
  isTooLarge = false;
  private readonly endAt: number;

  /**
   * @param rerunLimitMs Maximum time to run one event again. The first that reaches it ends the reruns.
   * @param callLimitMs Time in which events may run again.
   */
  constructor(
    private readonly work: Work,
    private readonly perform: Perform,
    private readonly rerunLimitMs = Number.POSITIVE_INFINITY,
    callLimitMs = CALL_LIMIT_MS,
  ) {
    this.endAt = Date.now() + callLimitMs;
    this.results = work.events.map(() => undefined);
  }

  async run(): Promise<void> {
    const first = await this.attempt(this.open);
    this.logs = first.logs;
    this.failure = first.failure;
    if (first.failure && !first.failure.isOfCode && !this.work.allowFetch) {
      await this.repeat(first.failure, first.wasShared).catch((error) => {
        if (!isAppError(error)) throw error; // a busy sandbox ends the reruns, and events without a result count as failed
      });
    }
    if (this.failure) this.failOpen(this.failure);
  }

  /** Events without a result. */
  private get open(): number[] {
    return [...this.results.keys()].filter((index) => this.results[index] === undefined);
  }

  private async repeat(failure: Failure, wasShared: boolean): Promise<void> {
    const isAlone = this.work.events.length === 1;
    if (wasShared && this.open.length > 0) {
      const own = await this.attempt(this.open, { isShareable: false }, this.timeLeft() / 2);
      if (!own.failure || own.failure.isOfCode || isAlone) return;
    }
    if (!isAlone && (await this.isLoadable())) await this.runEachAlone(failure);
  }

  /** Checks that the code loads, unless an event has already finished. If loading is the problem, no event is to blame. */
  private async isLoadable(): Promise<boolean> {
    if (this.open.length < this.results.length) return true;
    const { failure } = await this.perform(
      { ...this.work, action: 'check-transformation', events: [], isShareable: false },
      this.timeLeft() / 2,
    );
    return failure === undefined;
  }

  /** Runs each unfinished event alone. An event that runs out of its share fails with the earlier failure. */
  private async runEachAlone(earlier: Failure): Promise<void> {
    const indexes = this.open;
    for (const [at, index] of indexes.entries()) {
      const share = Math.min(this.timeLeft() / (indexes.length - at), this.rerunLimitMs);
      if (this.timeLeft() < PARTIAL_RUN_LIMIT_MIN_MS) return;
      const more = { isShareable: false, isPartial: true };
      const { failure, isOfBatch } = await this.attempt([index], more, Math.max(share, PARTIAL_RUN_LIMIT_MIN_MS));
      if (isOfBatch) return;
      if (failure) this.fail(index, failure.cause === 'timeout' && earlier.cause !== 'timeout' ? earlier : failure);
      if (failure?.cause === 'timeout' && share === this.rerunLimitMs) return;
    }
  }

  /** Runs these events and stores the results of those that finish. */
  private async attempt(indexes: number[], more: Partial<Work> = {}, limitMs?: number) {
    const events = indexes.map((index) => this.work.events[index] as Buffer);
    const answer = await this.perform({ ...this.work, ...more, events }, limitMs);
    const { logs, wasShared } = answer;
    // A later run tells the runtime if the first one ended its child.
    this.runtime ??= answer.runtime;
    const outcome = during('sandbox.results', () => readGroup(answer.outcome, indexes.length));
    const isUnreadable = outcome === undefined && answer.failure === undefined;
    const failure = isUnreadable ? NOT_READABLE : answer.failure;
    if (outcome === 'too large') this.isTooLarge = true;
    else if (outcome && this.areTrusted(outcome)) {
      this.strays.push(...outcome.strays);
      for (const [at, index] of indexes.entries()) {
        const result = outcome.results[at];
        if (result === 'stopped' && failure) this.fail(index, failure);
        else if (result !== 'stopped') this.results[index] = result;
      }
    }
    return { failure, logs, wasShared, isOfBatch: isUnreadable };
  }

  /** If we cannot tell which event looped, keep the results only when no rerun is possible. */
  private areTrusted({ isLoose, results }: Outcome): boolean {
    return !isLoose || (this.work.allowFetch && results.includes(undefined));
  }

  private failOpen(failure: Failure): void {
    for (const index of this.open) this.fail(index, failure);
  }

  private fail(index: number, failure: Failure): void {
    this.results[index] = resultJson({ status: 'error', error: userErrorOf(failure) });
  }

  private timeLeft(): number {
    return this.endAt - Date.now();
  }
}
