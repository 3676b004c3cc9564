import type { Lease, StreamMessage } from '@weir/messaging';
import type { LimitFunction } from 'p-limit';
import type { DestinationPart, DestinationRef } from '../units/delivery-unit.js';
import type { HeldBatch } from './held-batch.js';

/** A batch of the log, for one destination. */
export interface AcceptedPart {
  part: DestinationPart;
  bytes: number;
  message: StreamMessage;
  /** Reads the part again, after it left memory. */
  read(): DestinationPart;
  /** The batch is in memory or in the queue, and need not be handed over again. */
  taken(): void;
  /** The destination no longer needs the log to keep the batch. */
  settled(): void;
}

/** The memory of the worker that a feed feeds. */
export interface Landing {
  /** Takes memory for a batch that can be delivered at once. False if it has to wait. */
  take(bytes: number): boolean;
  /** Whether enough unread batches wait already. More would only take memory. */
  readonly isBehind: boolean;
  /** Takes memory if nothing has to leave it. */
  hasRoom(bytes: number): boolean;
  /** Runs one read of a queue at a time, so that no more is read than there is room for. */
  readonly reading: LimitFunction;
  /** Receives a batch, with its content if there is memory for it. Otherwise it is read again when its turn comes. */
  arrive(held: HeldBatch, parts: DestinationPart[] | undefined): void;
  /** The batch is done, or the next owner takes it over. */
  drop(held: HeldBatch): void;
}

export interface FeedOptions {
  owner: DestinationRef;
  lease: Lease;
  landing: Landing;
}
