import type { Lease, StreamMessage } from '@weir/messaging';
import type { LimitFunction } from 'p-limit';
import type { Outcomes } from '../outcomes/outcomes.js';
import type { DeliveryQueues } from '../queues/delivery-queues.js';
import type { DeliveryShares } from '../queues/delivery-shares.js';
import type { Queue, QueueWriter } from '../queues/queue-writer.js';
import type { DestinationPart, DestinationRef } from '../units/delivery-unit.js';
import type { DeliveryProgress } from './delivery-progress.js';
import type { HeldBatch, Hold } from './held-batch.js';
import type { Overflow } from './overflow.js';

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
  /** Takes memory if nothing has to leave it. False if it took none. */
  takeIfFree(bytes: number): boolean;
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

/** The services that all feeds use. */
export interface FeedServices {
  readonly queues: DeliveryQueues;
  readonly writer: QueueWriter;
  readonly shares: DeliveryShares;
  readonly overflow: Overflow;
  readonly progress: DeliveryProgress;
  readonly outcomes: Outcomes;
}

/** The values that the parts of one feed share. */
export interface FeedContext {
  queue: Queue & { lease: Lease };
  hold: Hold;
  landing: Landing;
  services: FeedServices;
}
