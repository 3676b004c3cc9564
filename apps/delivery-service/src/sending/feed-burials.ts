import type { DestinationPart } from '../units/delivery-unit.js';
import type { FeedBatches } from './feed-batches.js';
import type { FeedContext } from './feed-options.js';
import type { HeldBatch } from './held-batch.js';
import { unitsOf } from './overflow.js';

/** Makes dead letters of batches that have no room in the queue. They must not keep the log from going on. */
export class FeedBurials {
  /** Batches that memory does not have, and whose dead letters are being written. */
  private readonly doomed = new Set<string>();

  constructor(
    private readonly context: Pick<FeedContext, 'queue' | 'services'>,
    private readonly batches: FeedBatches,
  ) {}

  /** Whether some dead letters of the batch may be written. Then all of its events have to end like that. */
  hasBegun({ batchId }: DestinationPart): boolean {
    return this.doomed.has(batchId);
  }

  /** Ends batches that memory does not have. A repetition, after some dead letters were written, must end them, too. */
  async buryParts(parts: readonly DestinationPart[]): Promise<void> {
    const { services, queue } = this.context;
    for (const { batchId } of parts) this.doomed.add(batchId);
    await services.overflow.bury(queue, parts, queue.lease);
    for (const { batchId } of parts) this.doomed.delete(batchId);
  }

  /** Ends batches that memory has. What is under way ends with its attempt. */
  async buryHeld(batches: readonly { held: HeldBatch; parts: DestinationPart[] }[]): Promise<void> {
    const { services, queue } = this.context;
    for (const { held } of batches) held.isBurying = held.isEnding = true;
    const waiting = batches.flatMap(({ held, parts }) => {
      const [of] = held.parts;
      const units = parts.flatMap(unitsOf).filter(({ index }) => of && !of.done.has(index) && !of.busy.has(index));
      return of ? units.map((unit) => ({ held, unit, ref: { part: of, index: unit.index } })) : [];
    });
    const units = waiting.map(({ unit }) => unit);
    await services.overflow.buryEach(units, queue, queue.lease);
    for (const { held, ref } of waiting) held.done(ref);
    for (const { held } of batches) {
      held.isBurying = false;
      this.batches.leaveLog(held);
      if (held.isDone) this.batches.finish(held);
    }
  }
}
