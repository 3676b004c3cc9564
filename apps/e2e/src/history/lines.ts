/**
 * The lines of a history. Clients write what they asked and were answered, destinations write what arrived, and a reader writes
 * at the end what Weir says itself. All times are milliseconds of one monotonic clock.
 */
export type Line =
  | SentEvent
  | Suppression
  | Lift
  | Publish
  | VersionRead
  | CountRead
  | Arrival
  | Erasure
  | Outcome
  | Deletion
  | Fault;

interface Operation {
  /** When the first attempt began. */
  askedAt: number;
  /** When the successful answer came. Without one, the operation may take effect at any later time, or never. */
  answeredAt?: number;
}

/** The outcome that the sender wants at the destination. The code and the event's `integrations` bring it about. */
export type Wish = 'pass' | 'drop' | 'fail' | 'filter';

export interface SentEvent extends Operation {
  kind: 'event';
  id: string;
  workspace: string;
  source: string;
  user: string;
  wish: Wish;
}

export interface Suppression extends Operation {
  kind: 'suppression';
  workspace: string;
  user: string;
  /** Whether destinations have to erase the user, too. */
  deletes: boolean;
  /** Known once it is answered. */
  regulation?: string;
}

export interface Lift extends Operation {
  kind: 'lift';
  regulation: string;
}

/** A publish or a rollback. Those of a workspace are asked for one after the other. The code stamps events with its version. */
export interface Publish extends Operation {
  kind: 'publish';
  workspace: string;
  version: number;
}

/** A read of the live version, by its address or by a test of an event. */
export interface VersionRead extends Required<Operation> {
  kind: 'version';
  workspace: string;
  version: number;
}

/** A read of how many events of a user the statistics count. */
export interface CountRead extends Required<Operation> {
  kind: 'count';
  source: string;
  user: string;
  count: number;
  /** Read when everything had come to rest. */
  isFinal: boolean;
}

export interface Arrival {
  kind: 'arrival';
  at: number;
  workspace: string;
  destination: string;
  id: string;
  version?: number;
  /** Whether the destination said that it has the event. */
  isTaken: boolean;
}

/** A request to erase a user, as it arrived at a destination. */
export interface Erasure {
  kind: 'erasure';
  at: number;
  workspace: string;
  destination: string;
  user: string;
}

/** The state of an event at the end, as Weir tells it. */
export interface Outcome {
  kind: 'outcome';
  at: number;
  id: string;
  status: string;
  reason?: string;
}

/** The state of a deletion at the end, as Weir tells it. */
export interface Deletion {
  kind: 'deletion';
  at: number;
  regulation: string;
  status: string;
  reason?: string;
  hasReceipt: boolean;
}

/** A fault that was made. It may explain a violation and is never one. */
export interface Fault {
  kind: 'fault';
  at: number;
  /** When it was over. */
  until: number;
  /** Whether processes could not reach each other meanwhile. They go on with what they knew. */
  separates: boolean;
  says: string;
}

/** When a line was over. */
export const timeOf = (line: Line): number => ('at' in line ? line.at : (line.answeredAt ?? line.askedAt));
