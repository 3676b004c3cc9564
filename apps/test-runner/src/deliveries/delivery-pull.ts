import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { Logger } from '@nestjs/common';
import { DeliveryBatch } from '@weir/contracts';
import { during, type Lease, streamMessage } from '@weir/messaging';
import { LruCache } from '../code/lru-cache.js';
import { sleep, untilHeld, untilItWorks } from './backoff.js';
import { type DeliveryProgress } from './delivery-progress.js';
import { DELIVERY_ACK_WAIT_MS, type DeliveryQueues, HELD_MAX } from './delivery-queues.js';
import { HeldBatch, type HeldPart, progressOf } from './held-batch.js';
import type { HeldBytes } from './held-bytes.js';

/** Messages of one pull; at most as many times 1 MiB come on top of what memory may hold. */
const PULL_MAX = 32;
const PULL_EXPIRES_MS = 10_000;
const RETRY_MS = 500;
const ROOM_POLL_MS = 50;
/** What is done of messages that are not is written down so often, so many batches at a time. */
const SAVE_MS = 1_000;
const SAVED_AT_ONCE_MAX = 1_000;

/** Batches of one destination whose second coming is noticed: many times what a router may have to write again. */
const SEEN_MAX = 4_096;

export interface DeliveryPullParts {
  queues: DeliveryQueues;
  heldBytes: HeldBytes;
  progress: DeliveryProgress;
}

/** Takes what waits for one destination, in order and without a gap, as far as memory allows. */
export class DeliveryPull {
  private readonly logger = new Logger(DeliveryPull.name);
  private readonly held = new Map<number, HeldBatch>();
  /** Hand-outs of this consumer so far; one that is missing was lost on its way. */
  private handedOut = 0;
  /** What the last owner had done of messages that come again. */
  private doneBefore: ReadonlyMap<string, readonly number[]> = new Map();
  private readonly seen = new LruCache<true>(SEEN_MAX);
  private hasConsumer = false;
  private pulling: ConsumerMessages | undefined;

  constructor(
    private readonly destinationId: string,
    private readonly parts: DeliveryPullParts,
    private readonly line: { lease: Lease; signal: AbortSignal; onBatch: (held: HeldBatch) => void },
  ) {}

  /** Runs until the signal stops it. */
  async run(): Promise<void> {
    this.doneBefore = await untilItWorks(() => this.parts.progress.load(this.destinationId), {
      signal: this.line.signal,
      onFailure: (error) => this.logger.warn(`what is done for ${this.destinationId} is not known: ${error.message}`),
    });
    const saver = setInterval(() => void this.save(Date.now() - SAVE_MS), SAVE_MS);
    const heartbeat = setInterval(() => this.reportWorking(), DELIVERY_ACK_WAIT_MS / 3);
    this.line.signal.addEventListener('abort', () => this.pulling?.stop());
    while (!this.isStopped) {
      try {
        await untilHeld(this.line.lease, this.line.signal);
        const consumer = await this.open();
        while (!this.isStopped && this.hasConsumer) await this.pullOnce(consumer);
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
    this.pulling?.stop();
  }

  /** One event of the batch is done. */
  done(held: HeldBatch, part: HeldPart, index: number): void {
    held.done(part, index);
    if (!held.isDone || !this.held.delete(held.message.sequence)) return;
    this.parts.heldBytes.remove(held.bytes);
    held.message.ack();
    this.forget(held);
  }

  /** Leaves what is not done to the next owner, with word of what is. */
  async release(): Promise<void> {
    await this.save(Date.now());
    for (const { bytes } of this.held.values()) this.parts.heldBytes.remove(bytes);
    this.held.clear();
  }

  /** A message that is done within moments is never written down; one that waits for a retry is. */
  private async save(takenUntil: number): Promise<void> {
    if (!this.line.lease.isHeld) return; // the next owner writes down what it finds
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

  private async open(): Promise<Consumer> {
    const consumer = await this.parts.queues.open(this.destinationId, { fresh: !this.hasConsumer });
    if (!this.hasConsumer) this.handedOut = 0;
    this.hasConsumer = true;
    return consumer;
  }

  private async pullOnce(consumer: Consumer): Promise<void> {
    while (!this.hasRoom()) await sleep(ROOM_POLL_MS, this.line.signal);
    this.pulling = await consumer.fetch({ max_messages: PULL_MAX, expires: PULL_EXPIRES_MS });
    if (this.isStopped) this.pulling.stop();
    for await (const message of this.pulling) {
      if (this.isStopped || !this.isNext(message)) return;
      if (!this.line.lease.isHeld) return this.again(); // the consumer is another owner's, or made anew
      this.take(message);
    }
  }

  /** A destination that holds nothing may always take something: others' backlogs do not starve it. */
  private hasRoom(): boolean {
    return this.held.size === 0 || (this.held.size < HELD_MAX - PULL_MAX && this.parts.heldBytes.hasRoom());
  }

  /** After a gap everything that is not acknowledged has to come again in order: nothing may overtake what was lost. */
  private isNext({ info }: JsMsg): boolean {
    this.handedOut += 1;
    if (info.deliverySequence !== this.handedOut) this.hasConsumer = false;
    return this.hasConsumer;
  }

  private take(message: JsMsg): void {
    const known = this.held.get(message.seq);
    if (known) {
      known.message = streamMessage(message, this.line.lease);
      return;
    }
    const parsed = during('deliverer.read', () => DeliveryBatch.safeParse(parsedJson(message)));
    if (!parsed.success) {
      this.logger.error(`message ${message.seq} of ${message.subject} is no delivery and is removed`);
      streamMessage(message, this.line.lease).term();
      return;
    }
    const { parts, ...owner } = parsed.data;
    const fresh = parts.filter(({ batchId }) => this.isFirst(batchId)).map((part) => ({ ...part, ...owner }));
    if (fresh.length === 0) {
      message.ack();
      return;
    }
    const held = new HeldBatch(streamMessage(message, this.line.lease), fresh, this.doneBefore);
    if (held.isDone) {
      message.ack();
      this.forget(held);
      return;
    }
    this.held.set(message.seq, held);
    this.parts.heldBytes.add(held.bytes);
    this.line.onBatch(held);
  }

  /** A router that could not write for all destinations of a batch writes it again for those that have it. */
  private isFirst(batchId: string): boolean {
    if (this.seen.get(batchId)) return false;
    this.seen.set(batchId, true);
    return true;
  }

  /** Not without the lease: then they have to come to the next owner. */
  private reportWorking(): void {
    if (!this.line.lease.isHeld) return;
    for (const { message } of this.held.values()) message.working();
  }
}

function parsedJson(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
