import { inTraceOf, Slices } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import type { Stored } from '../queues/delivery-shares.js';
import { messagesOf, type PartText, textOf } from '../queues/queue-writer.js';
import type { DestinationPart } from '../units/delivery-unit.js';
import type { FeedBatches } from './feed-batches.js';
import type { FeedBurials } from './feed-burials.js';
import type { AcceptedPart, FeedContext } from './feed-options.js';
import type { HeldBatch } from './held-batch.js';
import type { QueueHomes } from './queue-homes.js';
import type { QueueReader } from './queue-reader.js';

export interface QueueMovesOptions {
  context: FeedContext;
  batches: FeedBatches;
  reader: QueueReader;
  homes: QueueHomes;
  burials: FeedBurials;
}

/** Writes what has to wait from the log to the queue, in order. What has no room there becomes dead letters. */
export class QueueMoves {
  constructor(private readonly options: QueueMovesOptions) {}

  /** Writes parts that memory does not have to the queue, behind everything that it has. */
  async enqueue(parts: readonly AcceptedPart[]): Promise<void> {
    const { batches, burials, reader } = this.options;
    await this.move(batches.onlyInLog());
    const chunks = messagesOf(parts);
    const isDoomed = (chunk: readonly AcceptedPart[]) => chunk.some(({ part }) => burials.hasBegun(part));
    for (const [at, chunk] of chunks.entries()) {
      const isStored = !isDoomed(chunk) && (await this.store(chunk));
      // everything from the first chunk that does not fit is buried together, so nothing overtakes it
      const gone = isStored ? chunk : chunks.slice(at).flat();
      if (!isStored) await burials.buryParts(gone.map(({ part }) => part));
      this.countAccepted(gone);
      for (const { taken, settled } of gone) {
        taken();
        settled();
      }
      if (!isStored) return;
      reader.toBeRead();
    }
  }

  /** Writes batches that only the log keeps to the queue. Their events go on in memory meanwhile. */
  async move(batches: readonly HeldBatch[]): Promise<void> {
    const begun = batches.filter(({ isBurying }) => isBurying); // some of their dead letters may be written
    for (const chunk of messagesOf(begun))
      await this.whileRoom(chunk, async () => this.options.burials.buryHeld(await this.opened(chunk)));
    for (const chunk of messagesOf(batches.filter(({ isEnding }) => !isEnding)))
      await this.whileRoom(chunk, () => this.moveChunk(chunk));
  }

  private async moveChunk(chunk: readonly HeldBatch[]): Promise<void> {
    const { burials, homes } = this.options;
    const open = await this.opened(chunk);
    const [first] = open;
    if (!first) return;
    const texts = open.flatMap((one) => one.texts);
    const stored = await inTraceOf(first.held.home, () => this.storeOpen(texts));
    if (!stored) return burials.buryHeld(open);
    homes.moveIn(
      open.map(({ held }) => held),
      stored,
    );
  }

  countAccepted(parts: readonly AcceptedPart[]): void {
    const { services, queue } = this.options.context;
    const events = parts.reduce((sum, { part }) => sum + part.events.length, 0);
    services.outcomes.count(queue, 'accepted', events);
  }

  private async store(chunk: readonly AcceptedPart[]): Promise<boolean> {
    const { services, queue } = this.options.context;
    const [first] = chunk;
    if (!first) return true;
    const bytes = chunk.reduce((sum, one) => sum + one.bytes, 0);
    if (!(await services.shares.hasRoom(queue, bytes))) return false; // thousands of destinations may overflow at once
    const stored = await this.whileRoom(chunk, async () => {
      const texts = await new Slices(queue.workspaceId).map(chunk, ({ part }) => textOf(withoutOwner(part)));
      return inTraceOf(first.message, () => services.writer.store(queue, texts));
    });
    return stored !== undefined;
  }

  /** Lets the process make few texts at a time. */
  private whileRoom<T>(chunk: readonly { bytes: number }[], work: () => Promise<T>): Promise<T> {
    const { services, hold, queue } = this.options.context;
    const bytes = chunk.reduce((sum, one) => sum + one.bytes, 0);
    return services.writer.whileRoom(queue, bytes, hold.signal, work);
  }

  /** Reads batches that are not done, in slices: what moves to a queue at once may be megabytes. */
  private async opened(batches: readonly HeldBatch[]) {
    const slices = new Slices(this.options.context.queue.workspaceId);
    const opened: { held: HeldBatch; parts: DestinationPart[]; texts: PartText[] }[] = [];
    for (const held of batches) {
      if (slices.isOver) await slices.next();
      const parts = await partsIn(held);
      if (parts.length > 0) opened.push({ held, parts, texts: parts.map((part) => textOf(withoutOwner(part))) });
    }
    return opened.filter(({ held }) => !held.isDone);
  }

  /** Stores events that are not done. A message that an earlier write had stored, and that is gone, is written anew. */
  private async storeOpen(texts: readonly PartText[]): Promise<Stored | undefined> {
    const { context, reader } = this.options;
    const { services, queue } = context;
    const stored = await services.writer.store(queue, texts);
    if (!stored?.isOld || (await reader.has(stored))) return stored;
    return services.writer.store(queue, texts, newKsuid());
  }
}

const withoutOwner = ({ workspaceId: _, destinationId: __, ...part }: DestinationPart) => part;

const partsIn = async (held: HeldBatch): Promise<DestinationPart[]> =>
  held.content?.parts ?? (await held.home.read()) ?? [];
