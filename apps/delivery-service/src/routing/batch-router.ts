import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type EventBatch, PARTITIONS } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import {
  during,
  isBatch,
  type Lease,
  LeaseTable,
  NATS,
  nameOf,
  PartitionConsumers,
  readBatch,
  Slices,
  type StreamMessage,
  workspaceOf,
} from '@weir/messaging';
import { Backlog, Database } from '@weir/service-kit';
import { openOf, routesOf } from '../inventory/routes.js';
import { LARGE_BYTES } from '../sending/batch-contents.js';
import { DestinationWorkers } from '../sending/destination-workers.js';
import type { AcceptedPart } from '../sending/feed-options.js';
import type { PartitionFeed } from '../sending/partition-feed.js';
import { Traces } from '../traces/traces.js';
import type { DestinationPart } from '../units/delivery-unit.js';
import { Ticket } from './ticket.js';

/** How long a batch waits for the inventory revision that its intake saw. After that, the whole partition retries. */
const INVENTORY_WAIT_MS = 2_000;

/**
 * Deliveries of a workspace that one call hands over, at least one batch. The batches behind it wait for the next call, in which others
 * have their turn. A source may have thousands of destinations.
 */
const DELIVERIES_AT_ONCE = 10_000;

type Handover = Map<PartitionFeed, AcceptedPart[]>;

/** Hands accepted batches, in order, to the feed of each connected destination. */
@Injectable()
export class BatchRouter {
  private readonly logger = new Logger(BatchRouter.name);
  /** Batches that some destination still needs, by partition and name. */
  private readonly tickets = new WeakMap<Lease, Map<string, Ticket>>();

  constructor(
    private readonly inventory: InventoryMirror,
    private readonly workers: DestinationWorkers,
    private readonly traces: Traces,
  ) {}

  /**
   * Resolves when every destination has each batch in memory or in its queue. A batch is acknowledged once no destination needs
   * it from the log any more. Rejects when a destination could not take one. Those that could will not get it again.
   */
  async route(messages: StreamMessage[], lease: Lease): Promise<void> {
    const handover: Handover = new Map();
    const prepared = this.prepareAll(messages, lease, handover);
    // a batch that cannot be read now holds up nothing before it
    await prepared.catch(() => undefined);
    const accepted = [...handover].map(([feed, parts]) => feed.accept(parts));
    const results = await Promise.allSettled([prepared, ...accepted]);
    const tickets = this.ticketsOf(lease);
    for (const message of messages) if (tickets.get(nameOf(message))?.isTaken) message.keep();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  private async prepareAll(messages: StreamMessage[], lease: Lease, handover: Handover): Promise<void> {
    const slices = new Slices();
    const deliveries = new Map<string, number>();
    let last = 0;
    for (const message of messages) {
      const workspace = workspaceOf(message.subject);
      const before = deliveries.get(workspace) ?? 0;
      // batches of one stream message stay together, because they come again together
      if (before >= DELIVERIES_AT_ONCE && message.sequence !== last) continue;
      last = message.sequence;
      // other partitions compete for this event loop, but a turn costs more than a small batch
      if (slices.isOver || message.data.length > LARGE_BYTES) await slices.next();
      deliveries.set(workspace, before + (await this.prepare(message, lease, handover)));
    }
  }

  /** Returns the number of deliveries that were added. */
  private async prepare(message: StreamMessage, lease: Lease, handover: Handover): Promise<number> {
    const batch = during('router.read', () => this.parsed(message));
    if (!batch) return 0;
    const { workspaceId, inventoryRevision: revision, inventoryBucket: bucket } = batch;
    await this.inventory.waitFor({ bucket, revision }, INVENTORY_WAIT_MS);
    const ticket = this.ticketOf(message, batch, lease);
    const { traceShare, toHandOver } = ticket;
    for (const destinationId of toHandOver) {
      const feed = await this.workers.feed(destinationId, lease);
      if (!feed) {
        ticket.settle(destinationId);
        continue;
      }
      const parts = handover.get(feed) ?? [];
      handover.set(feed, parts);
      const of = { workspaceId, destinationId, ...(traceShare > 0 && { traceShare }) };
      parts.push({
        part: partOf(batch, of),
        ...{ message, bytes: message.data.length, read: readerOf(message, of) },
        ...ticket.handlesOf(destinationId),
      });
    }
    return toHandOver.length * batch.events.length;
  }

  /** Finds the destinations of a batch when it comes for the first time. */
  private ticketOf(message: StreamMessage, batch: EventBatch, lease: Lease): Ticket {
    const tickets = this.ticketsOf(lease);
    const name = nameOf(message);
    const known = tickets.get(name);
    if (known?.batchId === batch.batchId) {
      known.message = message;
      return known;
    }
    const routes = routesOf(this.inventory, batch);
    const traceShare = this.traces.accepted(batch, routes);
    const ticket = new Ticket(message, batch.batchId, openOf(routes), traceShare, () => {
      if (tickets.get(name) === ticket) tickets.delete(name);
    });
    if (ticket.toHandOver.length > 0) tickets.set(name, ticket);
    else message.ack();
    return ticket;
  }

  private ticketsOf(lease: Lease): Map<string, Ticket> {
    const tickets = this.tickets.get(lease) ?? new Map<string, Ticket>();
    this.tickets.set(lease, tickets);
    return tickets;
  }

  private parsed(message: StreamMessage): EventBatch | undefined {
    const batch = readBatch(message);
    if (isBatch(batch)) return batch;
    this.logger.error(`message ${message.sequence} of ${message.subject} is not a batch and is removed`);
    message.term();
    return undefined;
  }
}

type PartOwner = Pick<DestinationPart, 'workspaceId' | 'destinationId' | 'traceShare'>;

function partOf({ batchId, sourceId, partition, receivedAt, events }: EventBatch, owner: PartOwner): DestinationPart {
  return { ...owner, batchId, sourceId, partition, receivedAt, events };
}

/** Reads the part again. Keeps nothing of the parsed batch in memory. */
const readerOf = (message: StreamMessage, owner: PartOwner) => () => partOf(message.json() as EventBatch, owner);

/** Takes the accepted batches of the partitions that this process holds, and has them routed. */
@Injectable()
export class AcceptedBatches implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly consumers: PartitionConsumers;

  constructor(
    @Inject(NATS) nats: NatsConnection,
    database: Database,
    router: BatchRouter,
    private readonly workers: DestinationWorkers,
    backlog: Backlog,
  ) {
    this.consumers = new PartitionConsumers({
      nats,
      role: 'deliverer',
      leases: new LeaseTable(database, { role: 'deliverer', slots: PARTITIONS }),
      begin: (lease) => workers.own(lease),
      handle: (messages, lease) => router.route(messages, lease),
      release: (lease) => workers.release(lease),
      log: new Logger('Router'),
    });
    backlog.observe(() => this.consumers.lag());
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumers.stop();
    await this.workers.stop();
  }
}
