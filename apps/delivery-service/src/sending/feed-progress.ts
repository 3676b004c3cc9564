import { Logger } from '@nestjs/common';
import type { FeedContext } from './feed-options.js';
import { type HeldBatch, progressOf } from './held-batch.js';

/** Parts with progress that are saved at once. */
const SAVED_AT_ONCE_MAX = 1_000;

/** Positions of finished events, by batch. */
export type DoneBefore = ReadonlyMap<string, readonly number[]>;

/** Saves which events of one feed are done, so that none of them comes again after a restart. */
export class FeedProgress {
  private readonly logger = new Logger(FeedProgress.name);
  private doneBefore: Promise<DoneBefore> | undefined;

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

  async save(batches: readonly HeldBatch[]): Promise<void> {
    const { services, queue } = this.context;
    if (!queue.lease.isHeld) return; // the next owner saves its own progress
    const parts = batches.flatMap(({ unsaved }) => unsaved).slice(0, SAVED_AT_ONCE_MAX);
    const sizes = parts.map(({ done }) => done.size);
    await services.progress.save(queue.destinationId, parts.map(progressOf));
    for (const [index, part] of parts.entries()) part.saved = sizes[index] ?? 0;
  }

  /** Removes progress that no message can need any more. */
  forget(held: HeldBatch): void {
    const { services, queue } = this.context;
    const ids = held.savedIds;
    if (ids.length === 0 || !queue.lease.isHeld) return;
    held.forgotten();
    services.progress
      .forget(queue.destinationId, ids)
      .catch(({ message }: Error) =>
        this.logger.warn(`cannot remove old delivery progress yet of ${queue.destinationId}: ${message}`),
      );
  }
}
