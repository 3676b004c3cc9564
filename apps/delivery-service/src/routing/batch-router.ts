import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  BATCH_BYTES_MAX,
  chunksOf,
  type DeliveryPart,
  deliverySubject,
  type EventBatch,
  PARTITIONS,
} from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import {
  during,
  inTraceOf,
  isBatch,
  type Lease,
  LeaseTable,
  NATS,
  PartitionConsumers,
  readBatch,
  Slices,
  type StreamMessage,
  StreamPublisher,
} from '@weir/messaging';
import { Backlog, Database } from '@weir/service-kit';
import { openOf, routesOf } from '../inventory/routes.js';
import { Outcomes } from '../outcomes/outcomes.js';
import { DeliveryShares } from '../queues/delivery-shares.js';
import { Traces } from '../traces/traces.js';
import type { DestinationRef } from '../units/delivery-unit.js';
import { Overflow } from './overflow.js';

/** How long a batch waits for the inventory revision that its intake saw. After that, the whole partition retries. */
const INVENTORY_WAIT_MS = 2_000;
/** Batches per message. Large enough to work off any backlog, small enough that one slow event holds up few batches. */
const PARTS_MAX = 64;

/** A batch to be written. All its destinations share this copy. */
interface Copy {
  part: DeliveryPart;
  json: string;
  bytes: number;
  message: StreamMessage;
}

type Stored = (copies: Copy[]) => void;

/** The batches to be written for one destination, in order. */
interface Queue {
  /** The lease under which the router writes. */
  lease: Lease | undefined;
  workspaceId: string;
  destinationId: string;
  copies: Copy[];
}

/** Writes accepted batches, in order, to the queue of each connected destination. */
@Injectable()
export class BatchRouter {
  private readonly logger = new Logger(BatchRouter.name);

  constructor(
    private readonly inventory: InventoryMirror,
    private readonly publisher: StreamPublisher,
    private readonly shares: DeliveryShares,
    private readonly overflow: Overflow,
    private readonly outcomes: Outcomes,
    private readonly traces: Traces,
  ) {}

  /**
   * Acknowledges a batch once it is stored for all its destinations. Batches that were pulled together become one message per
   * destination. Each message waits until the one before is stored, so a later batch never overtakes a failed one. Batches that
   * do not fit a destination's share become dead letters. Rejects when something could not be stored, and the broker then
   * redelivers it.
   */
  async route(messages: StreamMessage[], lease?: Lease): Promise<void> {
    const queues = new Map<string, Queue>();
    const wanted = new Map<StreamMessage, number>();
    const stored: Stored = (copies) => {
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
    const slices = new Slices();
    for (const message of messages) {
      await slices.next(); // a batch may be large, and other partitions compete for this event loop
      await this.enqueue(message, queues, wanted, lease);
    }
  }

  private async enqueue(
    message: StreamMessage,
    queues: Map<string, Queue>,
    wanted: Map<StreamMessage, number>,
    lease: Lease | undefined,
  ): Promise<void> {
    const batch = during('router.read', () => this.parsed(message));
    if (!batch) return;
    const { workspaceId, inventoryRevision: revision, inventoryBucket: bucket, writeKey: _, ...accepted } = batch;
    await this.inventory.waitFor({ bucket, revision }, INVENTORY_WAIT_MS);
    const routes = routesOf(this.inventory, batch);
    const destinationIds = openOf(routes);
    const traceShare = this.traces.accepted(batch, routes);
    const part: DeliveryPart = traceShare > 0 ? { ...accepted, traceShare } : accepted;
    wanted.set(message, destinationIds.length);
    if (destinationIds.length === 0) return message.ack();
    const json = during('router.write', () => JSON.stringify(part));
    const copy = { part, json, bytes: Buffer.byteLength(json), message };
    for (const destinationId of destinationIds) {
      const queue = queues.get(destinationId) ?? { lease, workspaceId, destinationId, copies: [] };
      queues.set(destinationId, queue);
      queue.copies.push(copy);
    }
  }

  private async write({ lease, workspaceId, destinationId, copies }: Queue, stored: Stored): Promise<void> {
    const owner = { workspaceId, destinationId };
    const bounds = { itemsMax: PARTS_MAX, bytesMax: BATCH_BYTES_MAX, bytesOf: ({ bytes }: Copy) => bytes };
    const chunks = chunksOf(copies, bounds);
    for (const [at, chunk] of chunks.entries()) {
      const [first] = chunk;
      if (!first) continue;
      const isWritten = await inTraceOf(first.message, () => this.publish(owner, chunk, lease));
      // everything from the first chunk that does not fit is buried together, so nothing overtakes it
      const gone = isWritten ? chunk : chunks.slice(at).flat();
      if (!isWritten)
        await this.overflow.bury(
          owner,
          gone.map(({ part }) => part),
          lease,
        );
      this.outcomes.count(
        owner,
        'accepted',
        gone.reduce((sum, { part }) => sum + part.events.length, 0),
      );
      stored(gone);
      if (!isWritten) return;
    }
  }

  /** Returns false if the destination had no room. */
  private publish(owner: DestinationRef, copies: Copy[], lease: Lease | undefined): Promise<boolean> {
    const [first, last] = [copies.at(0)?.part.batchId, copies.at(-1)?.part.batchId];
    const msgId = [first, copies.length, last, owner.destinationId].join('.');
    const text = `{${JSON.stringify(owner).slice(1, -1)},"parts":[${copies.map(({ json }) => json).join()}]}`;
    const subject = deliverySubject(owner.destinationId);
    const publish = () => this.publisher.publishText(subject, text, { msgId, lease });
    return this.shares.write(owner, Buffer.byteLength(text), publish);
  }

  private parsed(message: StreamMessage): EventBatch | undefined {
    const batch = readBatch(message);
    if (isBatch(batch)) return batch;
    this.logger.error(`message ${message.sequence} of ${message.subject} is not a batch and is removed`);
    message.term();
    return undefined;
  }
}

/** Counts one stored copy. Acknowledges the batch after the last. */
function settle(message: StreamMessage, wanted: Map<StreamMessage, number>): void {
  const left = (wanted.get(message) ?? 0) - 1;
  wanted.set(message, left);
  if (left === 0) message.ack();
}

/** Takes the accepted batches of the partitions that this process holds, and has them routed. */
@Injectable()
export class AcceptedBatches implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly consumers: PartitionConsumers;

  constructor(@Inject(NATS) nats: NatsConnection, database: Database, router: BatchRouter, backlog: Backlog) {
    this.consumers = new PartitionConsumers({
      nats,
      role: 'deliverer',
      leases: new LeaseTable(database, { role: 'deliverer', slots: PARTITIONS }),
      handle: (messages, lease) => router.route(messages, lease),
      log: new Logger('Router'),
    });
    backlog.observe(() => this.consumers.lag());
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumers.stop();
  }
}
