import { Logger } from '@nestjs/common';
import { type Lease, type PulledMessage, traceOf } from '@weir/messaging';
import { LruCache } from '../code/lru-cache.js';
import { sleep, untilHeld, untilItWorks } from './backoff.js';
import { type DeliveryProgress } from './delivery-progress.js';
import { DELIVERY_ACK_WAIT_MS, type DeliveryQueues, HELD_MAX, PULL_MAX } from './delivery-queues.js';
import type { DeliveryShares } from './delivery-shares.js';
import type { DeliveryOwnerIds, DestinationPart } from './delivery-unit.js';
import { type Hand, HeldBatch, type HeldPlace, progressOf } from './held-batch.js';

const RETRY_MS = 500;
const ROOM_POLL_MS = 50;
/** What is done of messages that are not is written down so often, so many batches at a time. */
const SAVE_MS = 1_000;
const SAVED_AT_ONCE_MAX = 1_000;

/** Batches of one destination whose second coming is noticed: many times what a router may have to write again. */
const SEEN_MAX = 4_096;

export interface DeliveryPullParts {
  queues: DeliveryQueues;
  shares: DeliveryShares;
  progress: DeliveryProgress;
}

/** Where what arrives goes. */
export interface DeliveryLanding {
  /** A message that was not in hand yet. */
  arrive(held: HeldBatch, data: Uint8Array): void;
  /** Whether so many are waiting to be read that more would only take room. */
  isBehind(): boolean;
  /** It is done, or the next owner's. */
  drop(held: HeldBatch): void;
}

/** Takes what waits for one destination, in order and without a gap, and answers what is done. */
export class DeliveryPull {
  private readonly logger = new Logger(DeliveryPull.name);
  private readonly held = new Map<number, HeldBatch>();
  private readonly destinationId: string;
  /** Hand-outs of this consumer so far; one that is missing was lost on its way. */
  private handedOut = 0;
  /** Everything before it was handed out to this owner, or is done. */
  private lastSequence = 0;
  /** What the last owner had done of messages that come again. */
  private doneBefore: ReadonlyMap<string, readonly number[]> = new Map();
  private readonly seen = new LruCache<true>(SEEN_MAX);
  private hasConsumer = false;
  private pulling = new AbortController();

  constructor(
    private readonly owner: DeliveryOwnerIds,
    private readonly parts: DeliveryPullParts,
    private readonly line: { lease: Lease; signal: AbortSignal; landing: DeliveryLanding },
  ) {
    this.destinationId = owner.destinationId;
  }

  /** Runs until the signal stops it. */
  async run(): Promise<void> {
    this.doneBefore = await untilItWorks(() => this.parts.progress.load(this.destinationId), {
      signal: this.line.signal,
      onFailure: (error) => this.logger.warn(`what is done for ${this.destinationId} is not known: ${error.message}`),
    });
    const saver = setInterval(() => void this.save(Date.now() - SAVE_MS), SAVE_MS);
    const heartbeat = setInterval(() => this.reportWorking(), DELIVERY_ACK_WAIT_MS / 3);
    while (!this.isStopped) {
      try {
        await untilHeld(this.line.lease, this.line.signal);
        await this.open();
        while (!this.isStopped && this.hasConsumer) await this.pullOnce();
      } catch (error) {
        if (this.isStopped) break;
        this.logger.warn(`deliveries of ${this.destinationId} cannot be pulled: ${(error as Error).message}`);
        await sleep(RETRY_MS, this.line.signal).catch(() => undefined);
      }
    }
    clearInterval(heartbeat);
    clearInterval(saver);
  }

  /** The broker was away: it has forgotten the pull that is open, and what was on its way is lost. */
  again(): void {
    this.hasConsumer = false;
    this.pulling.abort();
  }

  /**
   * It was read for the first time, with these parts. Whether something of it is to be delivered: a router that could not
   * write for all destinations of a batch writes it again for those that have it, and the last owner may have been further.
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

  /** One event of the message is done. */
  done(held: HeldBatch, place: HeldPlace): void {
    held.done(place);
    if (held.isDone) this.finish(held);
  }

  /** Nothing is left to do for the message. */
  finish(held: HeldBatch): void {
    if (!this.held.delete(held.sequence)) return;
    this.line.landing.drop(held);
    held.hand.ack();
    if (this.line.lease.isHeld) this.parts.shares.done(this.owner, held.sequence, held.bytes);
    this.forget(held);
  }

  /** Leaves what is not done to the next owner, with word of what is. */
  async release(): Promise<void> {
    await this.save(Date.now());
    for (const held of this.held.values()) this.line.landing.drop(held);
    this.held.clear();
  }

  /** A message that is done within moments is never written down; one that waits for a retry is. */
  private async save(takenUntil: number): Promise<void> {
    if (!this.line.lease.isHeld) return; // the next owner writes down what it finds
    this.tellFloor();
    const waiting = [...this.held.values()].filter(({ takenAt }) => takenAt <= takenUntil);
    const parts = waiting.flatMap(({ unsaved }) => unsaved).slice(0, SAVED_AT_ONCE_MAX);
    const sizes = parts.map(({ done }) => done.size);
    try {
      await this.parts.progress.save(this.destinationId, parts.map(progressOf));
      for (const [index, part] of parts.entries()) part.saved = sizes[index] ?? 0;
    } catch (error) {
      this.logger.warn(`what is done for ${this.destinationId} is not written down: ${(error as Error).message}`);
    }
  }

  private forget({ savedIds }: HeldBatch): void {
    if (!this.line.lease.isHeld) return;
    this.parts.progress
      .forget(this.destinationId, savedIds)
      .catch((error: Error) => this.logger.warn(`what is written down stays for now: ${error.message}`));
  }

  private get isStopped(): boolean {
    return this.line.signal.aborted;
  }

  private async open(): Promise<void> {
    await this.parts.queues.open(this.destinationId, { fresh: !this.hasConsumer });
    if (!this.hasConsumer) this.handedOut = 0;
    this.hasConsumer = true;
  }

  private async pullOnce(): Promise<void> {
    while (!this.hasRoom()) await sleep(ROOM_POLL_MS, this.line.signal);
    this.pulling = new AbortController();
    const signal = AbortSignal.any([this.line.signal, this.pulling.signal]);
    await this.parts.queues.pull(this.destinationId, { onMessage: (message) => this.receive(message), signal });
  }

  private hasRoom(): boolean {
    return this.held.size < HELD_MAX - PULL_MAX && !this.line.landing.isBehind();
  }

  private receive(message: PulledMessage): void {
    if (this.isStopped || !this.hasConsumer) return;
    if (this.line.lease.isHeld && this.isNext(message)) this.take(message);
    else this.again(); // the consumer is another owner's, or made anew
  }

  /** Everything before the first message in hand has left the stream, however many counts of it were lost. */
  private tellFloor(): void {
    const [first = this.lastSequence + 1] = [...this.held.keys()].sort((a, b) => a - b);
    if (this.lastSequence > 0) this.parts.shares.floor(this.destinationId, first);
  }

  /** After a gap everything that is not acknowledged has to come again in order: nothing may overtake what was lost. */
  private isNext({ info }: PulledMessage): boolean {
    this.handedOut += 1;
    return info.deliverySequence === this.handedOut;
  }

  private take(message: PulledMessage): void {
    const hand = handOf(message, this.line.lease);
    const known = this.held.get(message.seq);
    if (known) {
      known.hand = hand;
      return;
    }
    const held = new HeldBatch(hand, message.seq, message.data.length);
    this.held.set(message.seq, held);
    this.lastSequence = Math.max(this.lastSequence, message.seq);
    this.line.landing.arrive(held, message.data);
  }

  private isFirst(batchId: string): boolean {
    if (this.seen.get(batchId)) return false;
    this.seen.set(batchId, true);
    return true;
  }

  /** Not without the lease: then they have to come to the next owner. */
  private reportWorking(): void {
    if (!this.line.lease.isHeld) return;
    for (const { hand } of this.held.values()) hand.working();
  }
}

/** Under a lease that is lost nothing is acknowledged: then it comes again, to the next owner. */
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
