import type { StreamMessage } from '@weir/messaging';
import type { UserOutcome } from '../stages/user-stage.js';
import type { PartProgress } from './delivery-progress.js';
import type { DestinationPart } from './delivery-unit.js';

/** A part of a message in hand, without its events. */
export interface HeldPart {
  readonly batchId: string;
  /** Where it stands in the message. */
  readonly at: number;
  readonly events: number;
  /** Positions of events that are done. */
  readonly done: Set<number>;
  /** How many of them are written down. */
  saved: number;
}

/** An event of a message in hand. */
export interface HeldPlace {
  part: HeldPart;
  index: number;
}

/** What a message brought, read, with what user code made of it. */
export interface BatchContent {
  parts: DestinationPart[];
  outcomes: Map<HeldPart, (UserOutcome | undefined)[]>;
}

/** How a message is answered, and which trace it is of; nothing of what it brought. */
export type Hand = Pick<StreamMessage, 'subject' | 'trace' | 'ack' | 'working'>;

/** A message in hand: acknowledged once all its events are done. What it brought may be elsewhere meanwhile (`BatchContents`). */
export class HeldBatch {
  /** Those that did not come before; none until it was read. */
  parts: readonly HeldPart[] = [];
  /** In milliseconds since the epoch. */
  readonly takenAt = Date.now();
  /** As it came, until it is read. */
  data: Uint8Array | undefined;
  content: BatchContent | undefined;
  /** Those that are not in their lanes yet, in order. */
  unqueued: HeldPlace[] = [];
  isRead = false;
  private left = 1;

  constructor(
    public hand: Hand,
    readonly sequence: number,
    readonly bytes: number,
  ) {}

  /** It was read for the first time. `doneBefore`: what the last owner had done of it. */
  begin(
    parts: readonly Pick<HeldPart, 'batchId' | 'at' | 'events'>[],
    doneBefore: ReadonlyMap<string, readonly number[]> = new Map(),
  ): void {
    this.parts = parts.map((part) => {
      const done = new Set(doneBefore.get(part.batchId));
      return { ...part, done, saved: done.size };
    });
    this.unqueued = this.parts.flatMap(openPlaces);
    this.left = this.unqueued.length;
    this.isRead = true;
  }

  get isDone(): boolean {
    return this.left <= 0;
  }

  done({ part, index }: HeldPlace): void {
    if (part.done.has(index)) return;
    part.done.add(index);
    this.left -= 1;
  }

  /** Events that are still to be delivered, in order. */
  get open(): HeldPlace[] {
    return this.parts.flatMap(openPlaces);
  }

  /** Parts with more done than is written down. */
  get unsaved(): HeldPart[] {
    return this.parts.filter(({ done, saved }) => done.size > saved);
  }

  /** Batches that something is written down of. */
  get savedIds(): string[] {
    return this.parts.filter(({ saved }) => saved > 0).map(({ batchId }) => batchId);
  }
}

const openPlaces = (part: HeldPart): HeldPlace[] =>
  Array.from({ length: part.events }, (_, index) => ({ part, index })).filter(({ index }) => !part.done.has(index));

export const progressOf = ({ batchId, done }: HeldPart): PartProgress => ({ batchId, done: [...done] });
