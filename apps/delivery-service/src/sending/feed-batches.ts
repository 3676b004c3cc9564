import type { DestinationPart } from '../units/delivery-unit.js';
import type { ProgressChanges } from './delivery-progress.js';
import type { FeedContext } from './feed-options.js';
import type { FeedProgress } from './feed-progress.js';
import type { EventRef, HeldBatch, Home } from './held-batch.js';

/** Unfinished batches. As many retries can wait in memory. */
const HELD_MAX = 1_024;
/** Ids of finished batches in which duplicates are recognised, besides those that are held. Their acknowledgement may have got lost. */
const ENDED_MAX = 4_096;

/** The batches of one feed, from their arrival until the message that keeps them is gone. */
export class FeedBatches {
  private readonly held = new Set<HeldBatch>();
  /** Held batches that only the log keeps, in order. */
  private readonly inLog = new Set<HeldBatch>();
  /** Finished batches whose message is still there. Only their progress says that they are. */
  private readonly finished = new Set<HeldBatch>();
  /** Ids of held batches. A message of the queue holds many. */
  private readonly heldIds = new Set<string>();
  /** Oldest first. A set takes no memory while it is empty, and there may be ten thousand feeds. */
  private readonly endedIds = new Set<string>();

  constructor(
    private readonly context: Pick<FeedContext, 'landing'>,
    private readonly progress: FeedProgress,
  ) {}

  get isEmpty(): boolean {
    return this.held.size === 0;
  }

  get isFull(): boolean {
    return this.held.size >= HELD_MAX;
  }

  hasSeen(batchId: string): boolean {
    return this.heldIds.has(batchId) || this.endedIds.has(batchId);
  }

  /** The batches that only the log keeps, in order. */
  onlyInLog(): HeldBatch[] {
    return [...this.inLog];
  }

  /** Holds a batch that only the log keeps. */
  beginFromLog(held: HeldBatch, part: DestinationPart): void {
    this.inLog.add(held);
    this.begin(held, [part]);
  }

  /** Holds a batch. Without `parts`, it is read again when its turn comes. */
  begin(held: HeldBatch, parts: DestinationPart[] | undefined): void {
    for (const { batchId } of held.parts) this.heldIds.add(batchId);
    this.held.add(held);
    this.context.landing.arrive(held, parts);
    if (held.isDone) this.finish(held);
  }

  /** From now on another message keeps the batch, and the log need not. */
  rehome(held: HeldBatch, home: Home): void {
    const former = held.home;
    held.home = home;
    this.leaveLog(held);
    void former.done();
  }

  /** The batch stays in memory, but does not move to the queue any more. */
  leaveLog(held: HeldBatch): void {
    this.inLog.delete(held);
  }

  /** Marks one event as done. */
  done(held: HeldBatch, ref: EventRef): void {
    held.done(ref);
    if (held.isDone) this.finish(held);
  }

  finish(held: HeldBatch): void {
    if (!this.held.delete(held)) return;
    this.inLog.delete(held);
    for (const { batchId } of held.parts) {
      this.heldIds.delete(batchId);
      this.rememberEnded(batchId);
    }
    this.context.landing.drop(held);
    void this.endWith(held, held.home.done());
  }

  private rememberEnded(batchId: string): void {
    this.endedIds.add(batchId);
    const [oldest] = this.endedIds;
    if (this.endedIds.size > ENDED_MAX && oldest !== undefined) this.endedIds.delete(oldest);
  }

  /** Keeps the progress of a finished batch until its message is gone. */
  async endWith(held: HeldBatch, gone: Promise<boolean>): Promise<void> {
    this.finished.add(held);
    if (!(await gone)) return;
    this.finished.delete(held);
    this.progress.forget(held);
  }

  /** Progress of batches that may come again. */
  get unsaved(): ProgressChanges {
    return this.progress.changes([...this.held, ...this.finished]);
  }

  /** Leaves everything to the next owner. */
  dropAll(): void {
    for (const held of this.held) this.context.landing.drop(held);
    this.held.clear();
  }
}
