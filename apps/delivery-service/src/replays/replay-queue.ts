import { Injectable } from '@nestjs/common';
import { type DeliveryPart, orderIdOf, partitionOfBatch, spreadPartitionOf } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { DeliveryShares } from '../queues/delivery-shares.js';
import { messagesOf, QueueWriter, textOf } from '../queues/queue-writer.js';
import type { DestinationRef } from '../units/delivery-unit.js';

/** A replay waits while more than this waits for its destination, so that it never takes the room of live events. */
const WAITING_BYTES_MAX = 4_194_304;

/** Puts events back into the queue of a destination, for replays of dead letters and of time ranges. */
@Injectable()
export class ReplayQueue {
  constructor(
    private readonly inventory: InventoryMirror,
    private readonly queue: QueueWriter,
    private readonly shares: DeliveryShares,
  ) {}

  /**
   * False if too much waits for the destination, or its queue is full. Some of the parts may be stored all the same. The queue
   * recognises them by their names if they are stored again.
   */
  async store(owner: DestinationRef, parts: readonly DeliveryPart[]): Promise<boolean> {
    if (this.isBusy(owner.destinationId)) return false;
    const { workspaceId } = owner;
    const placed = parts.map((part) => ({ ...part, partition: this.partitionNow(part) }));
    const byPartition = Map.groupBy(placed, (part) => partitionOfBatch({ ...part, workspaceId }));
    for (const [partition, ofPartition] of byPartition)
      for (const texts of messagesOf(ofPartition.map(textOf)))
        if (!(await this.queue.store({ ...owner, partition }, texts))) return false;
    return true;
  }

  /** Whether too much waits for a destination. */
  isBusy(destinationId: string): boolean {
    return this.shares.waitingFor(destinationId) > WAITING_BYTES_MAX;
  }

  /** Where events of the same user go now, so that its order holds from the replay on. Undefined if the source is not spread. */
  private partitionNow({ sourceId, events: [event] }: DeliveryPart): number | undefined {
    const source = this.inventory.source(sourceId);
    if (!source || source.partitions === 1) return undefined;
    return spreadPartitionOf(source, (event && orderIdOf(event)) ?? '');
  }
}
