import { Logger } from '@nestjs/common';
import { type Lease, Periodic, type PulledMessage, traceOf } from '@weir/messaging';
import { LRUCache } from 'lru-cache';
import { DELIVERY_ACK_WAIT_MS, type DeliveryQueues, HELD_MAX, PULL_MAX } from '../queues/delivery-queues.js';
import type { DeliveryShares } from '../queues/delivery-shares.js';
import type { DestinationPart, DestinationRef } from '../units/delivery-unit.js';
import { sleep, untilHeld, untilItWorks } from './backoff.js';
import type { DeliveryProgress } from './delivery-progress.js';
import { type EventRef, type Hand, HeldBatch, progressOf } from './held-batch.js';

const RETRY_MS = 500;
const ROOM_POLL_MS = 50;
/** How often progress of unfinished messages is saved, and how many batches at once. */
const SAVE_MS = 1_000;
const SAVED_AT_ONCE_MAX = 1_000;

/** Number of recent batch ids in which duplicates are recognised. Far more than a router ever writes again. */
const SEEN_MAX = 4_096;

/** Receives the messages that a pull delivers. */
export interface DeliveryLanding {
  /** A message arrived for the first time. */
  arrive(held: HeldBatch, data: Uint8Array): void;
  /** Whether enough unread messages wait already. More would only take memory. */
  isBehind(): boolean;
  /** The message is done, or the next owner takes it over. */
  drop(held: HeldBatch): void;
}

/** The owner, lease and receiver of a pull. */
export interface PullContext {
  owner: DestinationRef;
  /** Nothing is taken or acknowledged unless this lease is held. */
  lease: Lease;
  signal: AbortSignal;
  landing: DeliveryLanding;
}

/** Pulls the messages of one destination in order and without gaps, and acknowledges those that are done. */
export class DeliveryPull {
  private readonly logger = new Logger(DeliveryPull.name);
  private readonly held = new Map<number, HeldBatch>();
  private readonly destinationId: string;
  /** Deliveries of this consumer so far. A jump in its own count means that a message was lost on the way. */
  private handedOut = 0;
  /** Every message up to this one was delivered to this owner or is done. */
  private lastSequence = 0;
  /** Progress that the previous owner saved for messages that come again. */
  private doneBefore: ReadonlyMap<string, readonly number[]> = new Map();
  private readonly seen = new LRUCache<string, true>({ max: SEEN_MAX });
  private hasConsumer = false;
  private pulling = new AbortController();
  private readonly saves = new Periodic({
    task: 'store the delivery progress',
    everyMs: SAVE_MS,
    run: () => this.save(Date.now() - SAVE_MS),
    log: this.logger,
  });
  private readonly heartbeat = new Periodic({
    task: 'tell the broker that deliveries go on',
    everyMs: DELIVERY_ACK_WAIT_MS / 3,
    run: () => this.reportWorking(),
    log: this.logger,
  });

  constructor(
    private readonly queues: DeliveryQueues,
    private readonly shares: DeliveryShares,
    private readonly progress: DeliveryProgress,
    private readonly context: PullContext,
  ) {
    this.destinationId = context.owner.destinationId;
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    this.doneBefore = await untilItWorks(() => this.progress.load(this.destinationId), {
      signal: this.context.signal,
      onFailure: (error) =>
        this.logger.warn(`cannot read the delivery progress of ${this.destinationId}: ${error.message}`),
    });
    this.saves.start();
    this.heartbeat.start();
    while (!this.isStopped) {
      try {
        await untilHeld(this.context.lease, this.context.signal);
        await this.open();
        while (!this.isStopped && this.hasConsumer) await this.pullOnce();
      } catch (error) {
        if (this.isStopped) break;
        this.logger.warn(`deliveries of ${this.destinationId} cannot be pulled: ${(error as Error).message}`);
        await sleep(RETRY_MS, this.context.signal).catch(() => undefined);
      }
    }
    await Promise.all([this.heartbeat.stop(), this.saves.stop()]);
  }

  /** Starts over after the broker was away. The broker forgot the open pull, and messages on their way are lost. */
  again(): void {
    this.hasConsumer = false;
    this.pulling.abort();
  }

  /**
   * Registers the parts of a message that was read for the first time. Returns whether any event remains to be delivered. Parts
   * may be duplicates, because a router that failed for one destination writes the batch again for all. The previous owner may
   * also have finished some of them.
   */
  begin(held: HeldBatch, parts: readonly DestinationPart[]): boolean {
    const all = parts.map(({ batchId, events }, at) => ({ batchId, at, events: events.length }));
    held.begin(
      all.filter(({ batchId }) => this.isFirst(batchId)),
      this.doneBefore,
    );
    if (held.isDone) this.finish(held);
    return !held.isDone;
  }

  /** Marks one event of the message as done. */
  done(held: HeldBatch, ref: EventRef): void {
    held.done(ref);
    if (held.isDone) this.finish(held);
  }

  /** Acknowledges a message that has nothing left to do. */
  finish(held: HeldBatch): void {
    if (!this.held.delete(held.sequence)) return;
    this.context.landing.drop(held);
    held.hand.ack();
    if (this.context.lease.isHeld) this.shares.done(this.context.owner, held.sequence, held.bytes);
    this.forget(held);
  }

  /** Saves the progress of unfinished messages and leaves them to the next owner. */
  async release(): Promise<void> {
    await this.save(Date.now());
    for (const held of this.held.values()) this.context.landing.drop(held);
    this.held.clear();
  }

  /** Saves progress of messages that were taken before `takenUntil`. Most finish within moments and are never saved. */
  private async save(takenUntil: number): Promise<void> {
    if (!this.context.lease.isHeld) return; // the next owner saves its own progress
    this.tellFloor();
    const waiting = [...this.held.values()].filter(({ takenAt }) => takenAt <= takenUntil);
    const parts = waiting.flatMap(({ unsaved }) => unsaved).slice(0, SAVED_AT_ONCE_MAX);
    const sizes = parts.map(({ done }) => done.size);
    try {
      await this.progress.save(this.destinationId, parts.map(progressOf));
      for (const [index, part] of parts.entries()) part.saved = sizes[index] ?? 0;
    } catch (error) {
      this.logger.warn(`cannot store the delivery progress of ${this.destinationId}: ${(error as Error).message}`);
    }
  }

  private forget({ savedIds }: HeldBatch): void {
    if (!this.context.lease.isHeld) return;
    this.progress
      .forget(this.destinationId, savedIds)
      .catch((error: Error) => this.logger.warn(`cannot remove old delivery progress yet: ${error.message}`));
  }

  private get isStopped(): boolean {
    return this.context.signal.aborted;
  }

  private async open(): Promise<void> {
    await this.queues.open(this.destinationId, { fresh: !this.hasConsumer });
    if (!this.hasConsumer) this.handedOut = 0;
    this.hasConsumer = true;
  }

  private async pullOnce(): Promise<void> {
    while (!this.hasRoom()) await sleep(ROOM_POLL_MS, this.context.signal);
    this.pulling = new AbortController();
    const signal = AbortSignal.any([this.context.signal, this.pulling.signal]);
    await this.queues.pull(this.destinationId, { onMessage: (message) => this.receive(message), signal });
  }

  private hasRoom(): boolean {
    return this.held.size < HELD_MAX - PULL_MAX && !this.context.landing.isBehind();
  }

  private receive(message: PulledMessage): void {
    if (this.isStopped || !this.hasConsumer) return;
    if (this.context.lease.isHeld && this.isNext(message)) this.take(message);
    else this.again(); // another owner has the consumer, or it was recreated
  }

  /** Reports the first unfinished sequence. All earlier messages have left the stream, even if counts of them were lost. */
  private tellFloor(): void {
    const [first = this.lastSequence + 1] = [...this.held.keys()].sort((a, b) => a - b);
    if (this.lastSequence > 0) this.shares.floor(this.destinationId, first);
  }

  /** After a gap, all unacknowledged messages must come again in order, so that nothing overtakes the lost one. */
  private isNext({ info }: PulledMessage): boolean {
    this.handedOut += 1;
    return info.deliverySequence === this.handedOut;
  }

  private take(message: PulledMessage): void {
    const hand = handOf(message, this.context.lease);
    const known = this.held.get(message.seq);
    if (known) {
      known.hand = hand;
      return;
    }
    const held = new HeldBatch(hand, message.seq, message.data.length);
    this.held.set(message.seq, held);
    this.lastSequence = Math.max(this.lastSequence, message.seq);
    this.context.landing.arrive(held, message.data);
  }

  private isFirst(batchId: string): boolean {
    if (this.seen.get(batchId)) return false;
    this.seen.set(batchId, true);
    return true;
  }

  /** Extends the broker's ack wait. Without the lease, messages must go to the next owner instead. */
  private reportWorking(): void {
    if (!this.context.lease.isHeld) return;
    for (const { hand } of this.held.values()) hand.working();
  }
}

/** Acknowledges nothing after the lease is lost. The broker then redelivers to the next owner. */
function handOf({ subject, headers, ack, working }: PulledMessage, lease: Lease): Hand {
  const trace = traceOf(headers);
  return {
    subject,
    trace,
    working,
    ack: () => {
      if (lease.isHeld) ack();
    },
  };
}
