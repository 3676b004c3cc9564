import type { CodeRuntime } from '@weir/contracts';
import type { Bundle, ChildAnswer, ChildTask, FetchAnswer, FetchAsk } from '../wire/protocol.js';

/** Makes one `fetch` call for user code. Never rejects. */
export type Fetch = (ask: FetchAsk) => Promise<FetchAnswer>;

export interface Work {
  action: ChildTask['action'];
  bundle: Bundle;
  /** Each the JSON of `{message, metadata}`. Empty for a check. */
  events: readonly Buffer[];
  /** The events are only part of a batch. */
  isPartial: boolean;
  /** May share a run with other callers of the same code. */
  isShareable: boolean;
  collectLogs: boolean;
  allowFetch: boolean;
  credentials: { key: string; value: string }[];
}

/** The results of one caller. */
export interface Answer extends Omit<ChildAnswer, 'id'> {
  /** The runtime of the code, in tests. */
  runtime?: CodeRuntime;
  /** The driver's output for this caller. Empty if the run was lost. */
  outcome: Buffer;
  /** Other callers took part in the run. */
  wasShared: boolean;
}

export interface Job {
  workspaceId: string;
  work: Work;
  /** Names the bundle by its content. */
  digest: string;
  /** The code and everything else that jobs must have in common to share a run, as text. */
  identity: string;
  limitMs: number;
  fetch: Fetch;
  settle: (answer: Answer) => void;
  timer: NodeJS.Timeout;
  queuedAt: number;
}
