import { setTimeout as sleep } from 'node:timers/promises';
import { FETCH_REQUEST_BYTES_MAX, FETCHES_PER_RUN_MAX } from '../limits.js';
import type { FetchAnswer, FetchAsk } from '../wire/protocol.js';

/** How to take the `fetch` calls of a run and return their answers. */
export interface FetchRun {
  task: number;
  take(): Promise<string>;
  settle(answersJson: string): Promise<void>;
  /** Time after which answers are no longer awaited. */
  waitMs: number;
}

/** Upper limit of all calls of one run, as JSON. The driver limits each call, and they arrive in one list. */
const ASKS_CHARS_MAX = FETCHES_PER_RUN_MAX * (FETCH_REQUEST_BYTES_MAX + 1) + 1;

/**
 * Passes `fetch` calls to the supervisor and answers back. Only the supervisor can reach the fetcher. The calls come from a realm
 * that user code has entered, so this limits their number and length again.
 */
export class FetchDesk {
  private readonly open = new Map<string, (answer: FetchAnswer) => void>();

  constructor(private readonly send: (ask: FetchAsk) => void) {}

  receive(answer: FetchAnswer): void {
    this.open.get(keyOf(answer))?.(answer);
    this.open.delete(keyOf(answer));
  }

  /** Runs until no call is under way or time is up. An answer may lead to further calls. */
  async carry({ task, take, settle, waitMs }: FetchRun): Promise<void> {
    const ended = new AbortController();
    const timeUp = sleep(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
    const underWay = new Set<Promise<void>>();
    const answers: FetchAnswer[] = [];
    let left = FETCHES_PER_RUN_MAX;
    try {
      for (;;) {
        const calls = callsIn(await take(), left);
        left -= calls.length;
        for (const call of calls) {
          const asking = this.ask({ ...call, type: 'fetch', task }).then((answer) => {
            answers.push(answer);
            underWay.delete(asking);
          });
          underWay.add(asking);
        }
        if (underWay.size > 0) await Promise.race([...underWay, timeUp]);
        if (answers.length === 0) return;
        await settle(JSON.stringify(answers.splice(0)));
      }
    } finally {
      ended.abort();
      for (const key of this.open.keys()) if (key.startsWith(`${task}/`)) this.open.delete(key);
    }
  }

  private ask(request: FetchAsk): Promise<FetchAnswer> {
    return new Promise((answered) => {
      this.open.set(keyOf(request), answered);
      this.send(request);
    });
  }
}

/** Throws if the text cannot come from our driver. The run then gets no more answers. */
function callsIn(json: string, most: number): FetchAsk[] {
  if (json.length > ASKS_CHARS_MAX) throw new Error(`fetch calls of ${json.length} characters`);
  const calls = JSON.parse(json) as FetchAsk[];
  if (calls.length > most) throw new Error(`${calls.length} fetch calls, but only ${most} are left`);
  return calls;
}

const keyOf = ({ task, call }: { task: number; call: number }) => `${task}/${call}`;
