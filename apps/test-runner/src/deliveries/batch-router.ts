import { Injectable, Logger } from '@nestjs/common';
import { DeliveryBatch, type DestinationRecord, deliverySubject, EventBatch } from '@weir/contracts';
import { InventoryMirror, type StreamMessage, StreamPublisher } from '@weir/messaging';
import { DeadLetterRepository } from '../dead-letters/dead-letter.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { deadLetterOf, eventKeyOf } from './delivery-unit.js';

/** How long a batch waits for the inventory that its intake has seen, before the whole partition tries again. */
const INVENTORY_WAIT_MS = 2_000;

/** Copies accepted batches to the queue of each connected destination, in order per destination. */
@Injectable()
export class BatchRouter {
  private readonly logger = new Logger(BatchRouter.name);

  constructor(
    private readonly inventory: InventoryMirror,
    private readonly publisher: StreamPublisher,
    private readonly deadLetters: DeadLetterRepository,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /** Acknowledges a batch when it is stored for all its destinations. Rejects when one could not be; it comes again. */
  async route(messages: StreamMessage[]): Promise<void> {
    /** The last publish to each destination: a later batch never overtakes an earlier one that failed. */
    const tails = new Map<string, Promise<void>>();
    const routed: Promise<void>[] = [];
    try {
      for (const message of messages) {
        const batch = this.parsed(message);
        if (!batch) continue;
        await this.inventory.waitFor(batch.inventoryRevision, INVENTORY_WAIT_MS);
        const copies = this.targetsOf(batch).map(({ id }) => this.copy(batch, id, tails));
        routed.push(Promise.all(copies).then(() => message.ack()));
      }
    } finally {
      await Promise.allSettled(routed);
    }
    await Promise.all(routed);
  }

  private targetsOf(batch: EventBatch): DestinationRecord[] {
    return this.inventory
      .connectionsOf(batch.sourceId)
      .filter(({ enabled }) => enabled)
      .map(({ destinationId }) => this.inventory.destination(destinationId))
      .filter((destination) => destination !== undefined)
      .filter(({ enabled, workspaceId }) => enabled && workspaceId === batch.workspaceId);
  }

  private copy(batch: EventBatch, destinationId: string, tails: Map<string, Promise<void>>): Promise<void> {
    const delivery = DeliveryBatch.parse({ ...batch, destinationId });
    const published = (tails.get(destinationId) ?? Promise.resolve()).then(() => this.publish(delivery));
    tails.set(destinationId, published);
    return published;
  }

  private async publish(batch: DeliveryBatch): Promise<void> {
    const { batchId, destinationId } = batch;
    try {
      await this.publisher.publish(deliverySubject(destinationId), batch, { msgId: `${batchId}.${destinationId}` });
    } catch (error) {
      if (!isShareUsedUp(error)) throw error;
      await this.bury(batch);
    }
  }

  /** The destination has its share of the stream full of waiting events: more would fill it for everybody. */
  private async bury(batch: DeliveryBatch): Promise<void> {
    const failure = { stage: 'queue' as const, reason: 'Too many events wait for this destination', attempts: 0 };
    for (const [index, event] of batch.events.entries()) {
      await this.deadLetters.add(deadLetterOf(batch, eventKeyOf(batch, index), event, failure));
    }
    this.metrics.count('dead', batch.events.length);
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

/** What the broker says when a subject has its own share full (stack.md, `discard_new_per_subject`). */
const isShareUsedUp = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && /maximum messages per subject/.test(error.cause.message);
