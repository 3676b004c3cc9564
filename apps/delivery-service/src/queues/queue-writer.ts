import { Injectable } from '@nestjs/common';
import { BATCH_BYTES_MAX, chunksOf, type DeliveryPart, deliverySubject } from '@weir/contracts';
import { type Lease, type Published, StreamPublisher } from '@weir/messaging';
import type { DestinationRef } from '../units/delivery-unit.js';
import { DeliveryShares, type Stored } from './delivery-shares.js';

/** Batches per message. Large enough to work off any backlog, small enough that one slow event holds up few batches. */
const PARTS_MAX = 64;

/** The queue of a destination in one partition. */
export interface Queue extends DestinationRef {
  partition: number;
  /** Writes nothing unless this lease is held. Replays are written without one. */
  lease?: Lease;
}

/** A part, and its JSON text. */
export interface PartText {
  part: DeliveryPart;
  json: string;
  bytes: number;
}

export function textOf(part: DeliveryPart): PartText {
  const json = JSON.stringify(part);
  return { part, json, bytes: Buffer.byteLength(json) };
}

/** Splits parts into messages, in order. */
export const messagesOf = <T extends { bytes: number }>(parts: readonly T[]): T[][] =>
  chunksOf(parts, { itemsMax: PARTS_MAX, bytesMax: BATCH_BYTES_MAX, bytesOf: ({ bytes }) => bytes });

/** Writes events that wait into the queue of their destination. */
@Injectable()
export class QueueWriter {
  constructor(
    private readonly publisher: StreamPublisher,
    private readonly shares: DeliveryShares,
  ) {}

  /**
   * Returns undefined if the destination has no room. Rejects if the broker does not confirm the write. The message may be stored
   * all the same, and a repetition with the same `msgId` finds it.
   */
  store(queue: Queue, parts: readonly PartText[], msgId = nameOf(queue, parts)): Promise<Stored | undefined> {
    const text = messageOf(queue, parts);
    return this.shares.write(queue, Buffer.byteLength(text), () => this.publish(queue, text, msgId));
  }

  /** For events that the stream holds already. Returns undefined if it is full. */
  storeAnyway(queue: Queue, parts: readonly PartText[], msgId: string): Promise<Stored | undefined> {
    const text = messageOf(queue, parts);
    return this.shares.writeAnyway(queue, Buffer.byteLength(text), () => this.publish(queue, text, msgId));
  }

  private publish({ partition, destinationId, lease }: Queue, text: string, msgId: string): Promise<Published> {
    return this.publisher.publishText(deliverySubject(partition, destinationId), text, { msgId, lease });
  }
}

/** The broker drops a message whose id it knows, whatever its subject. So the id names the queue, too. */
function nameOf({ partition, destinationId }: Queue, parts: readonly PartText[]): string {
  const [first, last] = [parts.at(0)?.part.batchId, parts.at(-1)?.part.batchId];
  return [first, parts.length, last, partition, destinationId].join('.');
}

function messageOf({ workspaceId, destinationId }: Queue, parts: readonly PartText[]): string {
  const owner = JSON.stringify({ workspaceId, destinationId }).slice(1, -1);
  return `{${owner},"parts":[${parts.map(({ json }) => json).join()}]}`;
}
