import type { MessageRef } from '../queues/delivery-queues.js';
import type { Stored } from '../queues/delivery-shares.js';
import type { DestinationPart } from '../units/delivery-unit.js';
import type { FeedBatches } from './feed-batches.js';
import type { FeedContext } from './feed-options.js';
import type { DoneBefore } from './feed-progress.js';
import { HeldBatch, type HeldPart, type Home } from './held-batch.js';
import type { QueuedBatch, QueueReader } from './queue-reader.js';

/** Lets messages of the queue keep batches of one feed. A message is removed when all of its batches are done. */
export class QueueHomes {
  constructor(
    private readonly context: Pick<FeedContext, 'hold' | 'landing'>,
    private readonly batches: FeedBatches,
    private readonly reader: QueueReader,
  ) {}

  /**
   * Takes a message that was read. It keeps what is new, and what memory has from the log. A batch that it has twice counts once: the
   * release before wrote such messages.
   */
  take({ parts, trace, ...message }: QueuedBatch, doneBefore: DoneBefore): void {
    const { reader } = this;
    const { bytes } = message;
    if (reader.knows(message)) return;
    const ids = parts.map(({ batchId }) => batchId);
    const isNew = ({ batchId, at }: BatchHead) => ids.indexOf(batchId) === at && !this.batches.hasSeen(batchId);
    const heads = parts.map(headOf).filter(isNew);
    const inLog = this.inLogOf(parts);
    const tenants = inLog.length + Math.min(1, heads.length);
    const done = tenancy(tenants, () => reader.remove(message));
    // a write whose answer got lost: the batches live in this message from now on
    for (const { held, at } of inLog) this.rehome(held, { message, at, done });
    if (tenants === 0) void reader.remove(message);
    if (heads.length === 0) return;
    const home = { subject: reader.subject, trace, read: () => reader.readAgain(message), done };
    const held = new HeldBatch(home, this.context.hold, bytes, heads, doneBefore);
    this.batches.begin(held, this.context.landing.takeIfFree(bytes) ? parts : undefined);
  }

  /** Moves batches of the log into a message that was written for them, in this order. */
  moveIn(batches: readonly HeldBatch[], stored: Stored): void {
    this.reader.wroteFromMemory(stored);
    const done = tenancy(batches.length, () => this.reader.remove(stored));
    for (const [at, held] of batches.entries())
      if (held.isDone) void this.batches.endWith(held, done());
      else this.rehome(held, { message: stored, at, done });
  }

  /** Batches in memory that only the log keeps, with their place in a message that has them, too. */
  private inLogOf(parts: readonly DestinationPart[]): { held: HeldBatch; at: number }[] {
    const places = new Map(parts.map(({ batchId }, at) => [batchId, at]));
    return this.batches.onlyInLog().flatMap((held) => {
      const at = places.get(held.parts[0]?.batchId ?? '');
      return at === undefined ? [] : [{ held, at }];
    });
  }

  private rehome(
    held: HeldBatch,
    { message, at, done }: { message: MessageRef; at: number } & Pick<Home, 'done'>,
  ): void {
    const read = async () => (await this.reader.readAgain(message))?.slice(at, at + 1);
    this.batches.rehome(held, { subject: this.reader.subject, trace: held.home.trace, read, done });
  }
}

type BatchHead = Pick<HeldPart, 'batchId' | 'at' | 'events'>;

/** A part of a message, without its events. */
export const headOf = ({ batchId, events }: DestinationPart, at: number): BatchHead => ({
  ...{ batchId, at },
  events: events.length,
});

/**
 * The message of a queue keeps several batches. It is removed once all of them are done.
 *
 * @param remove removes the message. Resolves to false if it may come again
 * @returns what each batch calls once, when it is done
 */
export function tenancy(tenants: number, remove: () => Promise<boolean>): () => Promise<boolean> {
  const removed = Promise.withResolvers<boolean>();
  let left = tenants;
  return () => {
    left -= 1;
    if (left === 0) removed.resolve(remove());
    return removed.promise;
  };
}
