import { Injectable, Logger } from '@nestjs/common';
import { Outcomes } from '../outcomes/outcomes.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { DeliveryShares } from '../queues/delivery-shares.js';
import { QueueWriter } from '../queues/queue-writer.js';
import { DeliveryProgress, type ProgressChanges } from './delivery-progress.js';
import { FeedBatches } from './feed-batches.js';
import { FeedBurials } from './feed-burials.js';
import type { AcceptedPart, FeedContext, FeedOptions, FeedServices } from './feed-options.js';
import { type DoneBefore, FeedProgress } from './feed-progress.js';
import { type EventRef, HeldBatch, type Hold, type Home } from './held-batch.js';
import { Overflow } from './overflow.js';
import { headOf, QueueHomes } from './queue-homes.js';
import { QueueMoves } from './queue-moves.js';
import { type QueuedBatch, QueueReader } from './queue-reader.js';

/** Begins feeds. */
@Injectable()
export class PartitionFeeds implements FeedServices {
  constructor(
    readonly queues: DeliveryQueues,
    readonly writer: QueueWriter,
    readonly shares: DeliveryShares,
    readonly overflow: Overflow,
    readonly progress: DeliveryProgress,
    readonly outcomes: Outcomes,
  ) {}

  begin(options: FeedOptions): PartitionFeed {
    return new PartitionFeed(options, this);
  }
}

/**
 * Hands one destination the events of one partition, in order. Events go from the log straight into memory while the destination
 * keeps up. Those that cannot be delivered soon go to its queue, and what follows them goes there, too, until the queue is read.
 * So nothing in the queue is later than what only the log keeps, and the next owner finds both in order.
 */
export class PartitionFeed {
  readonly hold: Hold;
  /** The events under way. */
  readonly running = new Set<Promise<void>>();
  private readonly logger = new Logger(PartitionFeed.name);
  private readonly stopping = new AbortController();
  private readonly context: FeedContext;
  private readonly progress: FeedProgress;
  private readonly batches: FeedBatches;
  private readonly reader: QueueReader;
  private readonly homes: QueueHomes;
  private readonly burials: FeedBurials;
  private readonly moves: QueueMoves;
  /** Everything that decides about the order, one after the other. */
  private turn: Promise<unknown> = Promise.resolve();
  private turns = 0;

  constructor({ owner, lease, landing }: FeedOptions, services: FeedServices) {
    this.hold = { lease, signal: this.stopping.signal };
    const queue = { ...owner, partition: lease.slot, lease };
    this.context = { queue, hold: this.hold, landing, services };
    this.progress = new FeedProgress(this.context);
    this.batches = new FeedBatches(this.context, this.progress);
    this.reader = new QueueReader({
      ...{ queue, hold: this.hold, queues: services.queues, shares: services.shares },
      hasRoom: () => !landing.isBehind,
      mayHold: () => !this.batches.isFull,
      reading: landing.reading,
      onBatch: (batch) => this.takeFromQueue(batch),
    });
    const { context, batches, reader } = this;
    this.homes = new QueueHomes(context, batches, reader);
    this.burials = new FeedBurials(context, batches);
    this.moves = new QueueMoves({ context, batches, reader, homes: this.homes, burials: this.burials });
  }

  /** Takes parts in order. Resolves when each is in memory or in the queue. */
  accept(parts: readonly AcceptedPart[]): Promise<void> {
    return this.inTurn(async () => {
      await this.reader.look();
      const doneBefore = await this.progress.before();
      this.hold.signal.throwIfAborted(); // a feed that ended meanwhile would lose the parts
      const waiting = parts.findIndex((part) => !this.takeNow(part, doneBefore));
      if (waiting !== -1) await this.enqueue(parts.slice(waiting));
    });
  }

  /** Moves batches that are not done for a while to the queue, so that they can leave the log. */
  park(olderThanMs: number): Promise<void> {
    const before = performance.now() - olderThanMs;
    const old = () => this.batches.onlyInLog().filter(({ takenAt }) => takenAt <= before);
    return old().length === 0 ? Promise.resolve() : this.inTurn(() => this.moves.move(old()));
  }

  /** Learns what the stream has of the queue. */
  notice(messages: number, lastSequence: number): void {
    this.reader.notice(messages, lastSequence);
  }

  /** Marks one event as done. */
  done(held: HeldBatch, ref: EventRef): void {
    this.batches.done(held, ref);
  }

  /** Ends a batch that left the stream before its events were done. */
  giveUp(held: HeldBatch): void {
    this.logger.error(`a message of ${held.home.subject} left the stream before its events were done`);
    this.batches.finish(held);
  }

  get isIdle(): boolean {
    return this.turns === 0 && this.batches.isEmpty && this.reader.isIdle;
  }

  /** Progress to be stored, so that nothing that is done comes again after a restart. */
  get unsaved(): ProgressChanges {
    return this.batches.unsaved;
  }

  /**
   * Ends the work. Events under way may end within `waitMs`. The next owner finds the others in the queue. The log would hand over
   * whole batches again, and repeat what other destinations have.
   */
  async release(waitMs: number): Promise<void> {
    if (this.hold.lease.isHeld)
      await this.park(0).catch((error: Error) => this.warn('cannot write to the queue', error));
    this.stopping.abort();
    const waited = new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref());
    const ended = Promise.allSettled([...this.running, this.turn]).then(() => this.reader.removed());
    await Promise.race([ended, waited]);
    await this.context.services.progress
      .store([this.unsaved])
      .catch((error: Error) => this.warn('cannot store the delivery progress', error));
    this.batches.dropAll();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = async () => {
      this.hold.signal.throwIfAborted();
      return work();
    };
    this.turns += 1;
    const result = this.turn.then(run).finally(() => {
      this.turns -= 1;
    });
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Returns false if the part has to wait in the queue. */
  private takeNow(accepted: AcceptedPart, doneBefore: DoneBefore): boolean {
    const { part, bytes, taken, settled } = accepted;
    if (this.batches.hasSeen(part.batchId)) {
      taken();
      settled();
      return true;
    }
    if (this.burials.hasBegun(part)) return false;
    if (this.reader.isBacklogged || this.batches.isFull) return false;
    if (!this.context.landing.take(bytes)) return false;
    const held = new HeldBatch(inLog(accepted), this.hold, bytes, [headOf(part, 0)], doneBefore);
    this.moves.countAccepted([accepted]);
    taken();
    this.batches.beginFromLog(held, part);
    return true;
  }

  /** Writes parts to the queue. The log may have a batch twice, and lets go of both copies only when the queue has one. */
  private async enqueue(parts: readonly AcceptedPart[]): Promise<void> {
    const first = new Map(parts.toReversed().map((accepted) => [accepted.part.batchId, accepted]));
    const isNew = (accepted: AcceptedPart) =>
      first.get(accepted.part.batchId) === accepted && !this.batches.hasSeen(accepted.part.batchId);
    const [fresh, repeated] = [parts.filter(isNew), parts.filter((accepted) => !isNew(accepted))];
    await this.moves.enqueue(fresh);
    for (const { taken, settled } of repeated) {
      taken();
      settled();
    }
  }

  private async takeFromQueue(message: QueuedBatch): Promise<void> {
    const doneBefore = await this.progress.before();
    const take = async () => this.homes.take(message, doneBefore);
    // batches that came before may be in a message that is being written now
    await (message.parts.some(({ batchId }) => this.batches.hasSeen(batchId)) ? this.inTurn(take) : take());
  }

  private warn(what: string, error: Error): void {
    this.logger.warn(`${what} of ${this.context.queue.destinationId}: ${error.message}`);
  }
}

/** The accepted message keeps the batch. */
const inLog = ({ message, read, settled }: AcceptedPart): Home => ({
  subject: message.subject,
  trace: message.trace,
  read: async () => [read()],
  done: async () => {
    settled();
    return true;
  },
});
