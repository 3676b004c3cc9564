import { Logger } from '@nestjs/common';
import { DeliveryBatch, deliverySubject } from '@weir/contracts';
import { during, FairLimiter, jsonOf, ownTurn, type StreamMessage } from '@weir/messaging';
import type { LimitFunction } from 'p-limit';
import type { DeliveryQueues, MessageRef } from '../queues/delivery-queues.js';
import type { DeliveryShares, Stored } from '../queues/delivery-shares.js';
import type { Queue } from '../queues/queue-writer.js';
import type { DestinationPart } from '../units/delivery-unit.js';
import { sleep, untilHeld, untilItWorks } from './backoff.js';
import { LARGE_BYTES } from './batch-contents.js';
import type { Hold } from './held-batch.js';

/** Interval between checks for room in memory. */
const ROOM_POLL_MS = 20;
const REMOVE_AGAIN_MS = 500;
/** A broker that is away does not answer for longer. */
const WAIT_MS = 60_000;
/**
 * Messages that a process reads at a time, in all and for a workspace. Each takes a few MiB until it is clear whether memory has room
 * for it, which may take as long as a write of the same feed.
 */
const READS = new FairLimiter({ max: 8, ownerMax: 6, waitingMax: Number.POSITIVE_INFINITY, waitMs: WAIT_MS });
/** Looks wait for nothing but the broker, so they get slots of their own, and readers that wait hold up none. */
const LOOKS = new FairLimiter({ max: 8, ownerMax: 6, waitingMax: Number.POSITIVE_INFINITY, waitMs: WAIT_MS });

/** A message of the queue. */
export interface QueuedBatch extends Stored {
  parts: DestinationPart[];
  trace: StreamMessage['trace'];
}

export interface QueueReaderOptions {
  queue: Queue;
  hold: Hold;
  queues: DeliveryQueues;
  shares: DeliveryShares;
  /** Whether the worker has room for another batch. */
  hasRoom: () => boolean;
  /** Whether this feed may hold another batch. */
  mayHold: () => boolean;
  /** Runs one read at a time, over all queues of the destination. */
  reading: LimitFunction;
  /** Receives what is read, in order. Calls `remove` when it is done. */
  onBatch: (batch: QueuedBatch) => Promise<void>;
}

/** Reads the queue of one destination in one partition, once and in order, and removes what is done. */
export class QueueReader {
  /** Whether the queue holds something that is not in memory. Ask {@link look} first. */
  isBacklogged = false;
  readonly subject: string;
  private readonly logger = new Logger(QueueReader.name);
  /** Messages with events in memory, and those that are being removed: their names, by number. */
  private known = new Map<number, string>();
  /** Those of a stream that was lost. A message that was written since then, and is not read yet, may be among them. */
  private former = new Map<number, string>();
  /** Losses of the stream that this reader knows of. */
  private losses: number;
  private readonly removals = new Set<Promise<boolean>>();
  private hasLooked = false;
  private isReading = false;
  private lastRead = 0;
  private beginnings = 0;
  /** Counts the writes, so that a look that found nothing knows whether one came meanwhile. */
  private writes = 0;

  constructor(private readonly options: QueueReaderOptions) {
    const { queue, queues } = options;
    this.losses = queues.losses;
    this.subject = deliverySubject(queue.partition, queue.destinationId);
  }

  /** Finds out once what the queue holds from before. All of that is earlier than what the log hands over now. */
  async look(): Promise<void> {
    if (this.hasLooked) return;
    const { queue, queues } = this.options;
    const found = await LOOKS.use(queue.workspaceId, () => queues.next(this.subject, 0));
    this.hasLooked = true;
    if (found) this.toBeRead();
  }

  get isIdle(): boolean {
    return this.known.size === 0 && !this.isBacklogged;
  }

  /** The queue has a message whose events are not in memory. */
  toBeRead(): void {
    this.writes += 1;
    this.isBacklogged = true;
    void this.read();
  }

  /** A message was written whose events are in memory already. */
  wroteFromMemory({ sequence, name }: MessageRef): void {
    this.known.set(sequence, name);
    this.writes += 1;
  }

  /** Learns what the stream has of this queue. Others write replays to it. */
  notice(messages: number, lastSequence: number): void {
    if (lastSequence < this.lastRead) this.beginAnew();
    this.beginAnewIfLost();
    if (messages > this.known.size) this.toBeRead();
  }

  /** Reads a message again. Undefined if the stream no longer has it. */
  async readAgain(message: MessageRef): Promise<DestinationPart[] | undefined> {
    const data = await this.options.queues.message(message);
    return data && this.partsOf(data);
  }

  /** Whether a message has events in memory, or is being removed. */
  knows({ sequence, name }: MessageRef): boolean {
    if (this.former.get(sequence) === name) this.known.set(sequence, name);
    return this.known.get(sequence) === name;
  }

  /** Whether the stream still has a message. */
  async has(message: MessageRef): Promise<boolean> {
    return (await this.options.queues.message(message)) !== undefined;
  }

  /**
   * Removes a message. Repeats it until it works, because the message would come again after a restart. Resolves to false if it
   * was stopped before, so the next owner removes it.
   */
  remove(stored: Stored): Promise<boolean> {
    const removal = this.tryToRemove(stored)
      .then(() => this.options.shares.done(this.options.queue, stored.sequence, stored.bytes))
      .then(
        () => true,
        () => false,
      )
      .finally(() => this.removals.delete(removal));
    this.removals.add(removal);
    return removal;
  }

  /** Resolves when no removal is under way. */
  async removed(): Promise<void> {
    await Promise.all(this.removals);
  }

  private async tryToRemove(message: MessageRef): Promise<void> {
    const { queues, hold } = this.options;
    for (;;) {
      try {
        hold.lease.assertHeld();
        await queues.remove(message);
        for (const names of [this.known, this.former])
          if (names.get(message.sequence) === message.name) names.delete(message.sequence);
        return;
      } catch (error) {
        hold.signal.throwIfAborted();
        this.warn('cannot be emptied', error as Error);
        await sleep(REMOVE_AGAIN_MS, hold.signal);
      }
    }
  }

  /** Reads as far as there is room, until nothing is left to read. */
  private async read(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    const { signal } = this.options.hold;
    const onFailure = (error: Error) => this.warn('cannot be read', error);
    try {
      let hasFound = true;
      while (hasFound || this.isBacklogged) hasFound = await untilItWorks(() => this.readNext(), { signal, onFailure });
    } catch {
      // stopped
    } finally {
      this.isReading = false;
    }
  }

  /** Returns whether there was a message. */
  private async readNext(): Promise<boolean> {
    const { hold, hasRoom, mayHold, queue, reading } = this.options;
    await untilHeld(hold.lease, hold.signal);
    while (!mayHold()) await sleep(ROOM_POLL_MS, hold.signal);
    return reading(async () => {
      while (!hasRoom()) await sleep(ROOM_POLL_MS, hold.signal);
      return READS.use(queue.workspaceId, () => this.readOne());
    });
  }

  private async readOne(): Promise<boolean> {
    const { queues } = this.options;
    this.beginAnewIfLost();
    const [before, beginnings] = [this.writes, this.beginnings];
    const message = await queues.next(this.subject, this.lastRead);
    if (!message) {
      if (this.writes === before) this.isBacklogged = false;
      return false;
    }
    const { sequence, name, data, trace } = message;
    if (!this.knows(message)) await this.take({ sequence, name, bytes: data.length }, data, trace);
    if (this.beginnings === beginnings) this.lastRead = sequence;
    return true;
  }

  private async take(stored: Stored, data: Uint8Array, trace: StreamMessage['trace']): Promise<void> {
    const parts = await this.partsOf(data);
    if (parts) await this.options.onBatch({ ...stored, parts, trace });
    this.known.set(stored.sequence, stored.name);
    if (parts) return;
    this.logger.error(`message ${stored.sequence} of ${this.subject} is not a delivery and is removed`);
    void this.remove(stored);
  }

  private beginAnewIfLost(): void {
    if (this.losses === this.options.queues.losses) return;
    this.losses = this.options.queues.losses;
    this.beginAnew();
  }

  /** Reads the queue of a stream that was made anew from its beginning. Numbers of before mean other messages there. */
  private beginAnew(): void {
    this.lastRead = 0;
    this.beginnings += 1;
    this.former = new Map([...this.former, ...this.known]);
    this.known = new Map();
  }

  private async partsOf(data: Uint8Array): Promise<DestinationPart[] | undefined> {
    if (data.length > LARGE_BYTES) await ownTurn(this.options.queue.workspaceId);
    return during('deliverer.read', () => partsOf(data));
  }

  private warn(what: string, error: Error): void {
    this.logger.warn(`the queue of ${this.options.queue.destinationId} ${what}: ${error.message}`);
  }
}

/** Undefined if the data is not a delivery. */
function partsOf(data: Uint8Array): DestinationPart[] | undefined {
  try {
    const { parts, ...owner } = DeliveryBatch.parse(jsonOf(data));
    return parts.map((part) => ({ ...part, ...owner }));
  } catch {
    return undefined;
  }
}
