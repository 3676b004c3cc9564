import type { StreamMessage } from '@weir/messaging';
import type { PartProgress } from './delivery-progress.js';
import type { DestinationPart } from './delivery-unit.js';

/** A part of a message in hand. */
export interface HeldPart {
  readonly part: DestinationPart;
  /** Positions of events that are done. */
  readonly done: Set<number>;
  /** How many of them are written down. */
  saved: number;
}

/** A message in hand: acknowledged once all its events are done. */
export class HeldBatch {
  readonly parts: readonly HeldPart[];
  /** In milliseconds since the epoch. */
  readonly takenAt = Date.now();
  private left: number;

  constructor(
    public message: StreamMessage,
    /** Those that did not come before. */
    parts: readonly DestinationPart[],
    /** What the last owner had done of them. */
    doneBefore: ReadonlyMap<string, readonly number[]> = new Map(),
  ) {
    this.parts = parts.map((part) => {
      const done = new Set(doneBefore.get(part.batchId));
      return { part, done, saved: done.size };
    });
    this.left = this.parts.reduce((sum, { part, done }) => sum + part.events.length - done.size, 0);
  }

  get bytes(): number {
    return this.message.data.length;
  }

  get isDone(): boolean {
    return this.left <= 0;
  }

  done(part: HeldPart, index: number): void {
    if (part.done.has(index)) return;
    part.done.add(index);
    this.left -= 1;
  }

  /** Events that are still to be delivered, in order. */
  get open(): { part: HeldPart; index: number }[] {
    return this.parts.flatMap((part) =>
      part.part.events.flatMap((_, index) => (part.done.has(index) ? [] : [{ part, index }])),
    );
  }

  /** Parts with more done than is written down. */
  get unsaved(): HeldPart[] {
    return this.parts.filter(({ done, saved }) => done.size > saved);
  }

  /** Batches that something is written down of. */
  get savedIds(): string[] {
    return this.parts.filter(({ saved }) => saved > 0).map(({ part }) => part.batchId);
  }
}

export const progressOf = ({ part, done }: HeldPart): PartProgress => ({ batchId: part.batchId, done: [...done] });
