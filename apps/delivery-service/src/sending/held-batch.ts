import type { StreamMessage } from '@weir/messaging';
import type { LiveOutcome } from '../code/live-code.js';
import type { DestinationPart } from '../units/delivery-unit.js';
import type { PartProgress } from './delivery-progress.js';

/** A part of a held message, without its events. */
export interface HeldPart {
  readonly batchId: string;
  /** Index of the part in the message. */
  readonly at: number;
  readonly events: number;
  /** Positions of finished events. */
  readonly done: Set<number>;
  /** Number of finished events that are already saved. */
  saved: number;
}

/** The position of an event in a held message. */
export interface EventRef {
  part: HeldPart;
  index: number;
}

/** An event in the message that holds it. */
export interface HeldEventRef {
  held: HeldBatch;
  ref: EventRef;
}

/** The parsed content of a message and the outcomes of user code. */
export interface BatchContent {
  parts: DestinationPart[];
  outcomes: Map<HeldPart, (LiveOutcome | undefined)[]>;
  /** The run of user code that is under way for events whose outcomes left memory. */
  running?: Promise<void> | undefined;
}

/** How to acknowledge a message, and its trace. Keeps no content. */
export type Hand = Pick<StreamMessage, 'subject' | 'trace' | 'ack' | 'working'>;

/** A held message, to be acknowledged once all its events are done. `BatchContents` may drop its content in the meantime. */
export class HeldBatch {
  /** Parts that arrived for the first time. Empty until the message is read. */
  parts: readonly HeldPart[] = [];
  /** Milliseconds since the epoch. */
  readonly takenAt = Date.now();
  /** The raw message, until it is read. */
  data: Uint8Array | undefined;
  content: BatchContent | undefined;
  /** Events that are not in a lane yet, in order. */
  unqueued: EventRef[] = [];
  isRead = false;
  private left = 1;

  constructor(
    public hand: Hand,
    readonly sequence: number,
    readonly bytes: number,
  ) {}

  /** Registers the parts after the first read. `doneBefore` is the progress of the previous owner. */
  begin(
    parts: readonly Pick<HeldPart, 'batchId' | 'at' | 'events'>[],
    doneBefore: ReadonlyMap<string, readonly number[]> = new Map(),
  ): void {
    this.parts = parts.map((part) => {
      const done = new Set(doneBefore.get(part.batchId));
      return { ...part, done, saved: done.size };
    });
    this.unqueued = this.parts.flatMap(openEvents);
    this.left = this.unqueued.length;
    this.isRead = true;
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

  /** Batches with saved progress. */
  get savedIds(): string[] {
    return this.parts.filter(({ saved }) => saved > 0).map(({ batchId }) => batchId);
  }
}

const openEvents = (part: HeldPart): EventRef[] =>
  Array.from({ length: part.events }, (_, index) => ({ part, index })).filter(({ index }) => !part.done.has(index));

export const progressOf = ({ batchId, done }: HeldPart): PartProgress => ({ batchId, done: [...done] });

/** The result of user code for the event. Missing before its run, and after its message left memory. */
export const outcomeOf = ({ content }: HeldBatch, { part, index }: EventRef): LiveOutcome | undefined =>
  content?.outcomes.get(part)?.[index];
