import type { ProgressChanges } from './delivery-progress.js';
import type { FeedContext } from './feed-options.js';
import type { HeldBatch } from './held-batch.js';

/** Positions of finished events, by batch. */
export type DoneBefore = ReadonlyMap<string, readonly number[]>;

/** Knows what is saved about the events of one feed, so that none that is done comes again after a restart. */
export class FeedProgress {
  private doneBefore: Promise<DoneBefore> | undefined;
  /** Batches whose message is gone. Their progress is removed with the next changes, because each statement has its price. */
  private readonly gone = new Set<string>();
  /** Batches whose progress is being saved. */
  private readonly saving = new Set<string>();

  constructor(private readonly context: Pick<FeedContext, 'queue' | 'services'>) {}

  /** Progress that the previous owner saved for batches that come again. */
  before(): Promise<DoneBefore> {
    const { services, queue } = this.context;
    this.doneBefore ??= services.progress.load(queue.destinationId).catch((error: unknown) => {
      this.doneBefore = undefined;
      throw error;
    });
    return this.doneBefore;
  }

  /** No message needs the progress of the batch any more. */
  forget(held: HeldBatch): void {
    for (const { batchId, saved } of held.parts) if (saved > 0 || this.saving.has(batchId)) this.gone.add(batchId);
  }

  /** The changes that are not stored yet. None without the lease, because the next owner saves its own progress. */
  changes(batches: readonly HeldBatch[]): ProgressChanges {
    const { destinationId, lease } = this.context.queue;
    if (!lease.isHeld) return { done: [], forgotten: [], stored: () => undefined };
    const parts = batches.flatMap(({ unsaved }) => unsaved);
    const done = parts.map(({ batchId, done: positions }) => ({ destinationId, batchId, done: [...positions] }));
    for (const { batchId } of parts) this.saving.add(batchId);
    const gone = [...this.gone];
    const stored = () => {
      for (const [at, part] of parts.entries()) part.saved = done[at]?.done.length ?? 0;
      for (const { batchId } of parts) this.saving.delete(batchId);
      for (const batchId of gone) this.gone.delete(batchId);
    };
    return { done, forgotten: gone.map((batchId) => ({ destinationId, batchId })), stored };
  }
}
