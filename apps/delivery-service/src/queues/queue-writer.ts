import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, BATCH_BYTES_MAX, chunksOf, type DeliveryPart, deliverySubject } from '@weir/contracts';
import { type Lease, type Published, StreamPublisher } from '@weir/messaging';
import type { DestinationRef } from '../units/delivery-unit.js';
import { DeliveryShares, type Stored } from './delivery-shares.js';
import { FairRoom } from './fair-room.js';

/** Batches per message. Large enough to work off any backlog, small enough that one slow event holds up few batches. */
const PARTS_MAX = 64;
/**
 * Bytes that a process writes to queues at a time: four of the largest messages. Each is in memory as text up to three times, and its
 * batches may be parsed again for it. Without a limit, a hundred destinations that go down together would take a hundred times as much.
 */
export const WRITING_BYTES_MAX = 4_194_304;
/** As long as the broker has to confirm a write. A write that waits for longer fails like one, and is tried again. */
const ROOM_WAIT_MS = 5_000;

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
  private readonly room = new FairRoom(WRITING_BYTES_MAX);

  constructor(
    private readonly publisher: StreamPublisher,
    private readonly shares: DeliveryShares,
  ) {}

  /**
   * Makes and stores texts of about this size when other writes leave room, which workspaces share. `work` must not wait for memory or another write, because
   * their holder may wait for this room. Throws `unavailable` if there is no room for long. Rejects when the signal aborts.
   */
  async whileRoom<T>(
    { workspaceId }: DestinationRef,
    bytes: number,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(ROOM_WAIT_MS)]);
    if (!(await this.room.take(workspaceId, bytes, patience))) {
      signal.throwIfAborted();
      throw new AppError('unavailable', 'Too much waits to be written to the queues');
    }
    try {
      return await work();
    } finally {
      this.room.give(workspaceId, bytes);
    }
  }

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

/** The broker drops a message whose id it knows, whatever its subject. So the id stands for every batch, and names the queue. */
function nameOf({ partition, destinationId }: Queue, parts: readonly PartText[]): string {
  const batches = hash('sha256', parts.map(({ part }) => part.batchId).join('\n'));
  return [batches, partition, destinationId].join('.');
}

function messageOf({ workspaceId, destinationId }: Queue, parts: readonly PartText[]): string {
  const owner = JSON.stringify({ workspaceId, destinationId }).slice(1, -1);
  return `{${owner},"parts":[${parts.map(({ json }) => json).join()}]}`;
}
