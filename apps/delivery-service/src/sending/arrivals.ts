import type { BatchContents } from './batch-contents.js';
import type { HeldBatch, HeldEventRef, Hold } from './held-batch.js';

/** Unread batches above which events wait in the queue. */
const UNREAD_MAX = 256;
/** Bytes of small batches whose code runs together. */
const READ_BYTES_MAX = 524_288;

/** The batches of one destination that user code has not seen yet, in order. */
export class Arrivals {
  private batches: HeldBatch[] = [];

  /** @param giveUp called with a batch that left the stream */
  constructor(
    private readonly contents: BatchContents,
    private readonly giveUp: (held: HeldBatch) => void,
  ) {}

  get isEmpty(): boolean {
    return this.batches.length === 0;
  }

  /** Whether enough wait already, or memory does not have them all. */
  get isFull(): boolean {
    return this.batches.length >= UNREAD_MAX || this.batches.some(({ content }) => content === undefined);
  }

  add(held: HeldBatch): void {
    this.batches.push(held);
  }

  /** Removes the batches that are held like this. */
  leave(hold: Hold): void {
    this.batches = this.batches.filter((held) => held.hold !== hold);
  }

  /** Removes the first batches whose events all went on. */
  removeRead(): void {
    while (this.batches[0]?.unqueued.length === 0) this.batches.shift();
  }

  /**
   * Reads the first batch and those behind it that are still in memory. Adds the batches whose content it opened to `opened`, also
   * when it rejects.
   */
  async read(eventsMax: number, opened: HeldBatch[]): Promise<HeldEventRef[]> {
    const events: HeldEventRef[] = [];
    let bytes = 0;
    for (const held of [...this.batches]) {
      const isEnough = events.length >= eventsMax || bytes >= READ_BYTES_MAX;
      if (opened.length > 0 && (isEnough || !held.content)) break;
      const content = held.isDone ? undefined : await this.contents.open(held);
      if (content) opened.push(held);
      else if (!held.isDone) this.giveUp(held);
      if (!content) held.unqueued.length = 0;
      const refs = held.unqueued.slice(0, eventsMax - events.length);
      events.push(...refs.map((ref) => ({ held, ref })));
      bytes += held.bytes;
    }
    return events;
  }
}
