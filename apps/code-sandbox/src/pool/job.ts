import type { Bundle, ChildAnswer, ChildTask, FetchAnswer, FetchAsk } from '../protocol.js';

/** Carries out one `fetch` of the task's user code. Never rejects. */
export type Fetch = (ask: FetchAsk) => Promise<FetchAnswer>;

export interface Work {
  kind: ChildTask['kind'];
  bundle: Bundle;
  /** Each the JSON of `{message, metadata}`; none for a check. */
  events: readonly Buffer[];
  /** Some events of a batch only. */
  isPart: boolean;
  /** May run together with others of the same code. */
  isShareable: boolean;
  collectLogs: boolean;
  allowFetch: boolean;
  credentials: { key: string; value: string }[];
}

/** What became of one caller's events. */
export interface Answer extends Omit<ChildAnswer, 'id'> {
  /** The driver's words about them, empty when the run was lost. */
  outcome: Buffer;
  /** Events of other callers were in the run. */
  wasShared: boolean;
}

export interface Job {
  workspaceId: string;
  work: Work;
  /** The code and everything else that a run must have in common with others, as one text. */
  identity: string;
  limitMs: number;
  fetch: Fetch;
  settle: (answer: Answer) => void;
  timer: NodeJS.Timeout;
  queuedAt: number;
}
