import { Injectable, Logger } from '@nestjs/common';
import { BATCH_BYTES_MAX, type DeliveryPart, deliverySubject, EventBatch } from '@weir/contracts';
import { during, InventoryMirror, inTraceOf, type Lease, type StreamMessage, StreamPublisher } from '@weir/messaging';
import { chunksOf } from '../code/chunks.js';
import { DeadLetterWriter } from '../dead-letters/dead-letter-writer.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { deadLetterOf } from './delivery-unit.js';

/** How long a batch waits for the inventory that its intake has seen, before the whole partition tries again. */
const INVENTORY_WAIT_MS = 2_000;
/** Batches of one message: enough to keep up with any backlog, few enough that a single slow event keeps few in hand. */
const PARTS_MAX = 64;

/** One batch on its way to one destination. */
interface Copy {
  part: DeliveryPart;
  message: StreamMessage;
}

/** What is to be written for one destination, in order. */
interface Queue {
  /** In whose name. */
  lease: Lease | undefined;
  workspaceId: string;
  destinationId: string;
  copies: Copy[];
}

/** Writes accepted batches to the queue of each connected destination, in order per destination. */
@Injectable()
export class BatchRouter {
  private readonly logger = new Logger(BatchRouter.name);

  constructor(
    private readonly inventory: InventoryMirror,
    private readonly publisher: StreamPublisher,
    private readonly deadLetters: DeadLetterWriter,
    private readonly outcomes: DeliveryOutcomes,
  ) {}

  /**
   * Acknowledges a batch when it is stored for all its destinations. What is pulled together is written together, one
   * message a destination: the next one waits until it is stored, so a later batch never overtakes one that failed. Rejects
   * when something could not be stored; it comes again.
   */
  async route(messages: StreamMessage[], lease?: Lease): Promise<void> {
    const queues = new Map<string, Queue>();
    const wanted = new Map<StreamMessage, number>();
    const stored = (copies: Copy[]) => {
      for (const { message } of copies) settle(message, wanted);
    };
    const enqueued = this.enqueueAll(messages, queues, wanted, lease);
    const writes = enqueued
      .catch(() => undefined)
      .then(() => [...queues.values()].map((each) => this.write(each, stored)));
    const results = await Promise.allSettled([enqueued, ...(await writes)]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  private async enqueueAll(
    messages: StreamMessage[],
    queues: Map<string, Queue>,
    wanted: Map<StreamMessage, number>,
    lease: Lease | undefined,
  ): Promise<void> {
    for (const message of messages) await this.enqueue(message, queues, wanted, lease);
  }

  private async enqueue(
    message: StreamMessage,
    queues: Map<string, Queue>,
    wanted: Map<StreamMessage, number>,
    lease: Lease | undefined,
  ): Promise<void> {
    const batch = during('router.read', () => this.parsed(message));
    if (!batch) return;
    await this.inventory.waitFor(batch.inventoryRevision, INVENTORY_WAIT_MS);
    const { workspaceId, inventoryRevision: _, writeKey: __, ...part } = batch;
    const destinationIds = this.targetsOf(batch);
    wanted.set(message, destinationIds.length);
    if (destinationIds.length === 0) return message.ack();
    for (const destinationId of destinationIds) {
      const queue = queues.get(destinationId) ?? { lease, workspaceId, destinationId, copies: [] };
      queues.set(destinationId, queue);
      queue.copies.push({ part, message });
    }
  }

  private targetsOf(batch: EventBatch): string[] {
    return this.inventory
      .connectionsOf(batch.sourceId)
      .filter(({ enabled }) => enabled)
      .map(({ destinationId }) => this.inventory.destination(destinationId))
      .filter((destination) => destination !== undefined)
      .filter(({ enabled, workspaceId }) => enabled && workspaceId === batch.workspaceId)
      .map(({ id }) => id);
  }

  private async write(queue: Queue, stored: (copies: Copy[]) => void): Promise<void> {
    for (const copies of chunksOf(queue.copies, {
      itemsMax: PARTS_MAX,
      bytesMax: BATCH_BYTES_MAX,
      bytesOf: partBytes,
    })) {
      const [first] = copies;
      if (first) await inTraceOf(first.message, () => this.publish(queue, copies));
      stored(copies);
    }
  }

  private async publish({ lease, workspaceId, destinationId }: Queue, copies: Copy[]): Promise<void> {
    const parts = copies.map(({ part }) => part);
    const [first, last] = [parts.at(0)?.batchId, parts.at(-1)?.batchId];
    const msgId = [first, parts.length, last, destinationId].join('.');
    const owner = { workspaceId, destinationId };
    try {
      await this.publisher.publish(deliverySubject(destinationId), { ...owner, parts }, { msgId, lease });
    } catch (error) {
      if (!isShareUsedUp(error)) throw error;
      lease?.assertHeld();
      for (const part of parts) await this.bury({ ...part, ...owner });
    }
    const events = parts.reduce((sum, part) => sum + part.events.length, 0);
    this.outcomes.count(owner, 'accepted', events);
  }

  /** The destination has its share of the stream full of waiting events: more would fill it for everybody. */
  private async bury(part: DeliveryPart & Omit<Queue, 'copies' | 'lease'>): Promise<void> {
    const failure = { stage: 'queue' as const, reason: 'Too many events wait for this destination', attempts: 0 };
    for (const [index, event] of part.events.entries()) {
      await this.deadLetters.add(deadLetterOf({ part, index, event }, failure));
    }
    this.outcomes.count(part, 'dead', part.events.length);
  }

  private parsed(message: StreamMessage): EventBatch | undefined {
    try {
      return EventBatch.parse(message.json());
    } catch {
      this.logger.error(`message ${message.sequence} of ${message.subject} is no batch and is removed`);
      message.term();
      return undefined;
    }
  }
}

const partBytes = ({ part }: Copy): number => Buffer.byteLength(JSON.stringify(part));

/** One copy more is stored; the last one acknowledges the batch. */
function settle(message: StreamMessage, wanted: Map<StreamMessage, number>): void {
  const left = (wanted.get(message) ?? 0) - 1;
  wanted.set(message, left);
  if (left === 0) message.ack();
}

/** What the broker says when a subject has its own share full (stack.md, `discard_new_per_subject`). */
const isShareUsedUp = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && /maximum messages per subject/.test(error.cause.message);
