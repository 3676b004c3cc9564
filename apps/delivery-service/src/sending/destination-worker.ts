import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { matchIdsOf } from '@weir/contracts';
import { destinationKind } from '@weir/destinations';
import { Egress } from '@weir/egress';
import { InventoryMirror } from '@weir/inventory';
import { inTraceOf, type Lease } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import pLimit from 'p-limit';
import { type EventUsers, SuppressionCheck } from '../checks/suppression-check.js';
import { LiveCode } from '../code/live-code.js';
import type { DelivererConfig } from '../config.js';
import { DeliverySlots, MessageMemory, QueuedEvents } from '../queues/fair-pool.js';
import { type DestinationPart, type DestinationRef, laneOf } from '../units/delivery-unit.js';
import { AdaptiveLimit } from './adaptive-limit.js';
import { Arrivals } from './arrivals.js';
import { untilItWorks } from './backoff.js';
import { BatchContents, LARGE_BYTES } from './batch-contents.js';
import { Breaker } from './breaker.js';
import { DestinationSender } from './destination-sender.js';
import { EventDelivery, type SendingContext } from './event-delivery.js';
import type { Landing } from './feed-options.js';
import type { EventRef, HeldBatch, HeldEventRef } from './held-batch.js';
import { Lanes, type Rest } from './lanes.js';
import { OpenedEvents } from './opened-events.js';
import { type PartitionFeed, PartitionFeeds } from './partition-feed.js';
import { RunAhead } from './run-ahead.js';

/** Events per run of user code. The results of one run are sent during the next, and survive its failure. */
const TRANSFORMED_AT_ONCE_MAX = 100;
/** Grace period for attempts under way. After that, the next owner gets their events. */
const STOP_WAIT_MS = 3_000;

/**
 * Delivers the events of one destination, from all partitions of this process. Keeps events of one user in order, sends others
 * concurrently, and leaves other destinations unaffected.
 */
@Injectable()
export class DestinationWorker implements Landing {
  private readonly logger = new Logger(DestinationWorker.name);
  private readonly ahead = new RunAhead(() => this.wake());
  private readonly lanes = new Lanes(this.ahead);
  private readonly stopping = new AbortController();
  /** Keyed by lease. A partition that comes back has a new one, while the work under the former ends. */
  private readonly feeds = new Map<Lease, PartitionFeed>();
  readonly reading = pLimit(1);
  private wake: () => void = () => undefined;
  private owner: DestinationRef;
  /** The HTTP client of this destination. One that hangs cannot use up another's connections to the same host. */
  private egress: Egress;
  private context: SendingContext;
  private contents: BatchContents;
  private arrivals: Arrivals;
  private events: OpenedEvents;
  private finished: Promise<unknown>;

  constructor(
    @Inject(CONFIG) private readonly config: DelivererConfig,
    private readonly inventory: InventoryMirror,
    private readonly partitionFeeds: PartitionFeeds,
    private readonly memory: MessageMemory,
    private readonly queuedEvents: QueuedEvents,
    private readonly slots: DeliverySlots,
    private readonly code: LiveCode,
    private readonly suppression: SuppressionCheck,
    private readonly delivery: EventDelivery,
  ) {}

  /** Works for one destination until it is stopped. Call it once. */
  start(owner: DestinationRef): void {
    const { signal } = this.stopping;
    setMaxListeners(0, signal);
    this.owner = owner;
    const { egress, deliveryConcurrencyMax: slotsMax } = this.config;
    this.egress = new Egress({ ...egress, owner: owner.workspaceId, socketsMax: slotsMax });
    const limit = new AdaptiveLimit({ owner, pool: this.slots, slotsMax, gathered: this.gathered });
    this.context = { sender: new DestinationSender(this.egress), breaker: new Breaker(), limit };
    const isNeeded = (held: HeldBatch) => held.unqueued.length > 0 || this.ahead.needs(held);
    this.contents = new BatchContents({ owner, memory: this.memory, signal, isNeeded });
    this.arrivals = new Arrivals(this.contents, (held) => this.feeds.get(held.hold.lease)?.giveUp(held));
    this.events = new OpenedEvents({ owner, contents: this.contents, code: this.code, ahead: this.ahead });
    this.finished = this.transform();
  }

  /** The feed of a partition that this process owns. */
  feed(lease: Lease): PartitionFeed {
    const known = this.feeds.get(lease);
    if (known) return known;
    const feed = this.partitionFeeds.begin({ owner: this.owner, lease, landing: this });
    setMaxListeners(0, feed.hold.signal);
    this.feeds.set(lease, feed);
    return feed;
  }

  get allFeeds(): readonly PartitionFeed[] {
    return [...this.feeds.values()];
  }

  /** Ends the work for a partition. Its next owner continues with what is not done. */
  async release(lease: Lease): Promise<void> {
    const feed = this.feeds.get(lease);
    if (!feed) return;
    this.feeds.delete(lease);
    this.arrivals.leave(feed.hold);
    await feed.release(STOP_WAIT_MS);
  }

  /** Ends the work for all partitions. */
  async stop(): Promise<void> {
    await Promise.all(this.allFeeds.map(({ hold }) => this.release(hold.lease)));
    this.stopping.abort();
    this.wake();
    const waited = new Promise<void>((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref());
    await Promise.race([this.finished, waited]);
    this.context.limit.release();
    // a session that cannot be closed is left to its time-outs
    void this.context.sender
      .close()
      .catch(() => undefined)
      .then(() => this.egress.close());
  }

  /** Whether the destination counts as down. */
  get isDown(): boolean {
    return this.context.breaker.open;
  }

  get isIdle(): boolean {
    return this.arrivals.isEmpty && this.allFeeds.every(({ isIdle }) => isIdle);
  }

  take(bytes: number): boolean {
    return !this.isDown && !this.isBehind && this.takeIfFree(bytes);
  }

  get isBehind(): boolean {
    return this.arrivals.isFull || this.ahead.isFull;
  }

  takeIfFree(bytes: number): boolean {
    return this.contents.takeIfFree(bytes);
  }

  arrive(held: HeldBatch, parts: DestinationPart[] | undefined): void {
    if (parts) this.contents.keep(held, parts);
    if (held.isDone) return;
    this.arrivals.add(held);
    this.wake();
  }

  drop(held: HeldBatch): void {
    this.contents.drop(held);
  }

  /** Payloads that wait until a batch is full, for kinds that send batches. */
  private get gathered(): number {
    const type = this.inventory.destination(this.owner.destinationId)?.type ?? '';
    return destinationKind(type)?.batching?.payloadsMax ?? 0;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Resolves when a batch arrived, or when less waits to be sent. */
  private untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.isStopped) resolve();
    });
  }

  /** Runs user code over arrived batches, in order, while earlier events are being sent. */
  private async transform(): Promise<void> {
    const { signal } = this.stopping;
    const onFailure = (error: Error) =>
      this.logger.warn(`events for ${this.owner.destinationId} wait: ${error.message}`);
    while (!this.isStopped) {
      if (this.arrivals.isEmpty || this.ahead.isFull) await this.untilWoken();
      else await untilItWorks(() => this.transformNext(), { signal, onFailure }).catch((error) => this.leave(error));
    }
  }

  private async transformNext(): Promise<void> {
    await this.queuedEvents.take(this.owner, TRANSFORMED_AT_ONCE_MAX, this.stopping.signal);
    const opened: HeldBatch[] = [];
    let queued = 0;
    try {
      const events = await this.arrivals.read(TRANSFORMED_AT_ONCE_MAX, opened);
      await this.events.runCode(events);
      await this.suppression.learn(events.flatMap(eventUsersOf));
      for (const { held, ref } of events) {
        held.unqueued.shift();
        if (this.enqueue(held, ref)) queued += 1;
      }
      this.arrivals.removeRead();
    } finally {
      for (const held of opened) this.contents.close(held);
      this.queuedEvents.give(this.owner, TRANSFORMED_AT_ONCE_MAX - queued);
    }
  }

  /** Returns false if the event is left to the next owner of its partition. */
  private enqueue(held: HeldBatch, ref: EventRef): boolean {
    const part = held.content?.parts[ref.part.at];
    const feed = this.feeds.get(held.hold.lease);
    if (!part || !feed) return false;
    const { receivedAt } = part;
    const isLarge = held.bytes > LARGE_BYTES;
    const mayWait = () => !held.isEnding;
    const event = { ...this.owner, receivedAt, isLarge, mayWait, open: () => this.events.open(held, ref) };
    const deliver = (rest: Rest) => this.delivery.deliver({ ...event, rest }, { ...this.context, ...held.hold });
    const work = this.lanes
      .add(laneOf(part, ref.index), { held, ref }, (rest) => inTraceOf(held.home, () => deliver(rest)))
      .then(() => feed.done(held, ref))
      .catch((error: Error) => this.leave(error, held))
      .finally(() => this.queuedEvents.give(this.owner, 1));
    feed.running.add(work);
    void work.finally(() => feed.running.delete(work));
    return true;
  }

  /** Leaves an event to the next owner. The only expected reason is a stop. */
  private leave(error: Error, held?: HeldBatch): void {
    if (this.isStopped || held?.hold.signal.aborted) return;
    this.logger.error(`an event waits for the next owner: ${error.stack ?? error.message}`);
  }
}

function eventUsersOf({ held, ref }: HeldEventRef): EventUsers[] {
  const part = held.content?.parts[ref.part.at];
  return part ? [{ ...part, userIds: matchIdsOf(part.events[ref.index] ?? {}) }] : [];
}
