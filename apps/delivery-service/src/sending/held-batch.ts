import type { Lease, StreamMessage } from '@weir/messaging';
import type { LiveCodeOutcome } from '../code/live-code.js';
import type { DestinationPart } from '../units/delivery-unit.js';

/** A part of a held batch, without its events. */
export interface HeldPart {
  readonly batchId: string;
  /** Index of the part in the batch. */
  readonly at: number;
  readonly events: number;
  /** Positions of finished events. */
  readonly done: Set<number>;
  /** Positions of events whose attempt is under way. */
  readonly busy: Set<number>;
  /** Number of finished events that are already saved. */
  saved: number;
}

/** The position of an event in a held batch. */
export interface EventRef {
  part: HeldPart;
  index: number;
}

/** An event in the batch that holds it. */
export interface HeldEventRef {
  held: HeldBatch;
  ref: EventRef;
}

/** The parsed content of a batch and the outcomes of user code. */
export interface BatchContent {
  parts: DestinationPart[];
  outcomes: Map<HeldPart, (LiveCodeOutcome | undefined)[]>;
  /** The run of user code that is under way for events whose outcomes left memory. */
  running?: Promise<void> | undefined;
}

/** The message that keeps a batch until it is done: the accepted one, or one in the queue of the destination. */
export interface Home extends Pick<StreamMessage, 'subject' | 'trace'> {
  /** Reads the parts again. Undefined if the stream no longer has them. */
  read(): Promise<DestinationPart[] | undefined>;
  /** The batch is done. Resolves when the message is gone, or to false if it may come again. */
  done(): Promise<boolean>;
}

/** The lease under which a batch is held, and the end of the work under it. */
export interface Hold {
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

/** Events for one destination, until all of them are done. `BatchContents` may drop the content in the meantime. */
export class HeldBatch {
  /** Milliseconds of a monotonic clock. */
  readonly takenAt = performance.now();
  content: BatchContent | undefined;
  /** Nothing of it may wait any longer: an event whose attempt fails ends with it. */
  isEnding = false;
  /** Events that are not under way become dead letters now. None of them begins meanwhile. */
  isBurying = false;
  readonly parts: readonly HeldPart[];
  /** Events that are not in a lane yet, in order. */
  readonly unqueued: EventRef[];
  private left: number;

  /** `doneBefore` is the progress of the previous owner, by batch. */
  constructor(
    public home: Home,
    readonly hold: Hold,
    readonly bytes: number,
    parts: readonly Pick<HeldPart, 'batchId' | 'at' | 'events'>[],
    doneBefore: ReadonlyMap<string, readonly number[]> = new Map(),
  ) {
    this.parts = parts.map((part) => {
      const done = new Set(doneBefore.get(part.batchId));
      return { ...part, done, busy: new Set<number>(), saved: done.size };
    });
    this.unqueued = this.parts.flatMap(openEvents);
    this.left = this.unqueued.length;
  }

  get isDone(): boolean {
    return this.left <= 0;
  }

  done({ part, index }: EventRef): void {
    if (part.done.has(index)) return;
    part.done.add(index);
    this.left -= 1;
  }

  /** Parts with progress that is not saved yet. */
  get unsaved(): HeldPart[] {
    return this.parts.filter(({ done, saved }) => done.size > saved);
  }
}

const openEvents = (part: HeldPart): EventRef[] =>
  Array.from({ length: part.events }, (_, index) => ({ part, index })).filter(({ index }) => !part.done.has(index));

/** The result of user code for the event. Missing before its run, and after its batch left memory. */
export const outcomeOf = ({ content }: HeldBatch, { part, index }: EventRef): LiveCodeOutcome | undefined =>
  content?.outcomes.get(part)?.[index];
