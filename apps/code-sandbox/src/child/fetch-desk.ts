import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchAnswer, FetchAsk } from '../protocol.js';

/** Where the calls of a run's user code lie, and how answers get back to it. */
export interface FetchRun {
  task: number;
  take(): string;
  settle(answersJson: string): Promise<void>;
  /** After which answers are not waited for. */
  waitMs: number;
}

/** Passes calls of `fetch` to the supervisor, which alone can reach the fetcher, and its answers back. */
export class FetchDesk {
  private readonly open = new Map<string, (answer: FetchAnswer) => void>();

  constructor(private readonly send: (ask: FetchAsk) => void) {}

  receive(answer: FetchAnswer): void {
    this.open.get(keyOf(answer))?.(answer);
    this.open.delete(keyOf(answer));
  }

  /** Until no call is under way, or time is up. An answer may make user code call again. */
  async carry({ task, take, settle, waitMs }: FetchRun): Promise<void> {
    const ended = new AbortController();
    const timeUp = sleep(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
    const underWay = new Set<Promise<void>>();
    const answers: FetchAnswer[] = [];
    try {
      for (;;) {
        for (const call of JSON.parse(take()) as FetchAsk[]) {
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

const keyOf = ({ task, call }: { task: number; call: number }) => `${task}/${call}`;
