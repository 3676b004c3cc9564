import { randomBytes } from 'node:crypto';
import type { Settings } from '../guest/settings.js';
import { shownError } from '../guest/shown-error.js';
import {
  ERROR_CHARS_MAX,
  FETCH_REQUEST_BYTES_MAX,
  FETCH_RESERVE_MS,
  FETCHES_PER_RUN_MAX,
  LOG_BYTES_MAX,
  RESULTS_BYTES_MAX,
  STRAYS_MAX,
} from '../limits.js';
import { secretsOf } from '../mask.js';
import type { Failure, FullTask } from '../wire/protocol.js';
import { splitTexts } from './event-texts.js';
import type { FetchDesk } from './fetch-desk.js';
import { isolate } from './isolate.js';
import { sourcesOf } from './programs.js';
import { type Room, TOUCHED } from './room.js';

const SEED_BYTES = 32;

/** The outcome of a run. If its room was touched, nothing ran. */
export interface RunResult {
  body?: string;
  failure?: Failure;
  isTouched?: boolean;
}

/** One task, with its own room and a time limit over everything in it. */
export class Run {
  private readonly end = Date.now() + this.task.limitMs;
  private readonly secrets = secretsOf(this.task.credentials);

  constructor(
    private readonly task: FullTask,
    private readonly events: Buffer,
    private readonly room: Room,
    private readonly fetches: FetchDesk,
  ) {}

  /** @param isAgain the code is loaded, since the room stayed open */
  async perform(isAgain = false): Promise<RunResult> {
    let body = '';
    const lost = await (isAgain ? this.loadAgain() : this.load()).then(
      async (told) => {
        body = told;
        return told === '' ? this.carryFetches() : undefined;
      },
      (error: unknown) => ({ error }),
    );
    if (body === TOUCHED) return { isTouched: true };
    if (body !== '') return { body };
    const failure = lost && this.failureOf(lost.error);
    try {
      return await this.outcome(failure);
    } catch (error) {
      // Something that user code left behind keeps the isolate busy.
      return { failure: this.failureOf(error) };
    }
  }

  private async outcome(failure: Failure | undefined): Promise<{ body?: string; failure?: Failure }> {
    const isLimit = failure !== undefined && failure.cause !== 'thrown';
    const body = isolate.isDisposed ? '' : await this.finish(isLimit ? [this.task.limitMs] : []);
    if (body === '')
      return { failure: { ...(failure ?? { cause: 'timeout' as const }), isOfCode: !isolate.isDisposed } };
    // An unhandled rejection is not an event's failure, so it does not fail the run.
    return { body, ...(isLimit && { failure }) };
  }

  /**
   * A limit ends a run before isolated-vm tells of a rejection that nobody handled. It then tells of it in the place of the next
   * answer, so this asks again.
   */
  private async finish(limits: number[]): Promise<string> {
    try {
      return await this.room.tell('finish', limits);
    } catch (error) {
      if (this.failureOf(error).cause !== 'thrown') throw error;
      return this.room.tell('finish', limits);
    }
  }

  private async load(): Promise<string> {
    this.room.prepare('receive', this.received());
    const sources = await sourcesOf(this.task);
    await this.room.enter(sources, this.timeLeft());
    return '';
  }

  private loadAgain(): Promise<string> {
    return this.room.enterAgain(this.received(), this.timeLeft());
  }

  private received(): string[] {
    const { joined, lengths } = splitTexts(this.events, this.task.groups);
    return [this.settings(), joined, JSON.stringify(lengths)];
  }

  private settings(): string {
    const { action, isPartial, collectLogs, credentials, allowFetch } = this.task;
    return JSON.stringify({
      ...{ action, isPartial, collectLogs, credentials, allowFetch },
      secrets: this.secrets,
      logChars: LOG_BYTES_MAX,
      errorChars: ERROR_CHARS_MAX,
      resultChars: RESULTS_BYTES_MAX,
      fetchesMax: FETCHES_PER_RUN_MAX,
      fetchBytes: FETCH_REQUEST_BYTES_MAX,
      straysMax: STRAYS_MAX,
      seed: randomBytes(SEED_BYTES).toString('hex'),
    } satisfies Settings);
  }

  /** Passes on `fetch` calls. Returns the last uncaught error of user code between them. */
  private async carryFetches(): Promise<{ error: unknown } | undefined> {
    if (!this.task.allowFetch) return undefined;
    let lost: { error: unknown } | undefined;
    await this.fetches
      .carry({
        task: this.task.id,
        take: () => this.room.ask('takeFetches', [], this.timeLeft()),
        settle: async (answersJson) => {
          await this.room.ask('settleFetches', [answersJson], this.timeLeft()).catch((error: unknown) => {
            lost = { error };
            if (this.failureOf(error).cause !== 'thrown') throw error;
          });
        },
        waitMs: Math.max(1, this.timeLeft() - FETCH_RESERVE_MS),
      })
      .catch((error: unknown) => {
        lost = { error };
      });
    return lost;
  }

  private timeLeft(): number {
    return Math.max(1, this.end - Date.now());
  }

  private failureOf(error: unknown): Failure {
    const text = textOf(error);
    const isTimeout = /^Error: Script execution timed out\.(\n|$)/.test(text);
    const cause = isolate.isDisposed ? 'memory' : isTimeout ? 'timeout' : 'thrown';
    return { cause, error: shownError(text, { errorChars: ERROR_CHARS_MAX, secrets: this.secrets }) };
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return notAnError(String(error));
  return error.message.startsWith(OF_ISOLATED_VM) ? notAnError('an object') : (error.stack ?? String(error));
}

/** How isolated-vm words that an object was thrown at module level. Its author knows no isolated-vm. */
const OF_ISOLATED_VM = 'An object was thrown from supplied code within isolated-vm';
const notAnError = (what: string) => `Error: thrown: ${what} (not an Error object)`;
