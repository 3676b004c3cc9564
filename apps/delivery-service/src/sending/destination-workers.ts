import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { DestinationRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { allEnded, type Lease, LeaseLostError, Periodic } from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import { DeletedCheck } from '../checks/deleted-check.js';
import { Outcomes } from '../outcomes/outcomes.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { DeliveryShares } from '../queues/delivery-shares.js';
import { DeliveryProgress } from './delivery-progress.js';
import { DestinationWorker } from './destination-worker.js';
import type { PartitionFeed } from './partition-feed.js';

/** Events that are not done by then move to the queue of their destination. The log waits for nothing longer. */
const PARK_AFTER_MS = 500;
const PARK_MS = 250;
/** Interval between looks at the queues. */
const LOOK_MS = 1_000;
/** Interval between sweeps for messages of deleted destinations. */
const SWEEP_MS = 60_000;
/** Looks without anything to do after which a worker ends. */
const IDLE_LOOKS_MAX = 60;

/** Keeps a worker for each destination that has events in a partition of this process. */
@Injectable()
export class DestinationWorkers implements OnApplicationBootstrap {
  /** Tests make it long enough for a busy machine. */
  parkAfterMs = PARK_AFTER_MS;
  /** Tests wait for less. */
  idleLooksMax = IDLE_LOOKS_MAX;
  private readonly logger = new Logger(DestinationWorkers.name);
  /** The leases of the partitions that this process owns. */
  private readonly partitions = new Map<number, Lease>();
  private readonly workers = new Map<string, Promise<DestinationWorker>>();
  /** Workers that are stopping. The next worker of the same destination waits for them. */
  private readonly ending = new Map<string, Promise<void>>();
  private readonly idleLooks = new Map<string, number>();
  private readonly running = new Map<string, DestinationWorker>();
  private readonly looks = this.round('look at the queues', LOOK_MS, () => this.look());
  private readonly rounds = [
    this.round('move waiting events to the queues', PARK_MS, () => this.parkAll()),
    this.looks,
    this.round('remove messages of deleted destinations', SWEEP_MS, () => this.sweep()),
  ];
  private foundBefore = new Set<string>();
  private waiting = 0;

  constructor(
    private readonly modules: ModuleRef,
    private readonly inventory: InventoryMirror,
    private readonly queues: DeliveryQueues,
    private readonly shares: DeliveryShares,
    private readonly deleted: DeletedCheck,
    private readonly outcomes: Outcomes,
    private readonly progress: DeliveryProgress,
    metrics: Metrics,
  ) {
    const waiting = () => this.waiting;
    metrics.gauge({
      name: 'weir_delivery_queue_messages',
      help: 'Messages that wait in the queues of this process, including those in progress',
      collect() {
        this.set(waiting());
      },
    });
    const down = () => this.down;
    metrics.gauge({
      name: 'weir_delivery_breakers_open',
      help: 'Destinations of this process that count as down. Single attempts decide when they are back',
      collect() {
        this.set(down().length);
      },
    });
  }

  onApplicationBootstrap(): void {
    this.inventory.onChange(({ objectType, id }) => {
      if (objectType === 'destination' && this.workers.has(id) && !this.inventory.destination(id)) void this.forget(id);
    });
    for (const round of this.rounds) round.start();
  }

  /** Ends all work. Call it when this process owns no partition any more. */
  async stop(): Promise<void> {
    await Promise.all(this.rounds.map((round) => round.stop()));
    await Promise.all([...this.workers.keys()].map((id) => this.end(id)));
  }

  /** The destinations of this process that count as down. */
  get down(): string[] {
    return [...this.running].filter(([, worker]) => worker.isDown).map(([id]) => id);
  }

  /** Begins to work for a partition, at once for what waits in its queues. */
  own(lease: Lease): void {
    this.partitions.set(lease.slot, lease);
    void this.looks.run();
    void this.outcomes.began(lease.slot);
  }

  /** Ends the work for a partition, before another process may take it. */
  async release(lease: Lease): Promise<void> {
    if (this.partitions.get(lease.slot) === lease) this.partitions.delete(lease.slot);
    await Promise.all([...this.running.values()].map((worker) => worker.release(lease)));
    await this.outcomes.released(lease.slot);
  }

  private round(task: string, everyMs: number, run: () => Promise<void>): Periodic {
    return new Periodic({ task, everyMs, run, log: this.logger });
  }

  /** The feed of a destination under a lease. Undefined if the destination is gone. */
  async feed(destinationId: string, lease: Lease): Promise<PartitionFeed | undefined> {
    for (;;) {
      const worker = await this.worker(destinationId);
      if (this.partitions.get(lease.slot) !== lease) throw new LeaseLostError(lease.slot);
      if (!worker) return undefined;
      if (this.running.get(destinationId) === worker) return worker.feed(lease); // it did not end meanwhile
    }
  }

  private async worker(id: string): Promise<DestinationWorker | undefined> {
    const known = this.workers.get(id);
    if (known) return known;
    const destination = this.inventory.destination(id);
    if (!destination) return undefined;
    const begun = this.begin(destination);
    this.workers.set(id, begun);
    begun.catch(() => this.workers.delete(id));
    return begun;
  }

  private async begin({ id, workspaceId }: DestinationRecord): Promise<DestinationWorker> {
    const worker = await this.modules.create(DestinationWorker);
    while (this.ending.has(id)) await this.ending.get(id);
    worker.start({ workspaceId, destinationId: id });
    this.running.set(id, worker);
    return worker;
  }

  private end(id: string): Promise<void> {
    const begun = this.workers.get(id);
    if (!begun) return this.ending.get(id) ?? Promise.resolve();
    this.workers.delete(id);
    this.running.delete(id);
    this.idleLooks.delete(id);
    const ended = begun.then((worker) => worker.stop()).finally(() => this.ending.delete(id));
    this.ending.set(id, ended);
    return ended;
  }

  /**
   * Stops the worker of a destination that left the inventory. What it had goes to the queue first. Removes the queue if the
   * database confirms the deletion.
   */
  private async forget(id: string): Promise<void> {
    try {
      await Promise.all((this.running.get(id)?.allFeeds ?? []).map((feed) => feed.park(0)));
      await this.end(id);
      if ((await this.deleted.of([id])).length > 0) await this.purge(id);
    } catch (error) {
      this.logger.warn(`the queue of ${id} is left for the sweep: ${(error as Error).message}`);
    }
  }

  private async parkAll(): Promise<void> {
    const feeds = [...this.running.values()].flatMap(({ allFeeds }) => allFeeds);
    await allEnded(feeds.map((feed) => feed.park(this.parkAfterMs)));
  }

  /** Saves progress and then looks at the queues. Neither a database nor a broker that is away keeps the other from it. */
  private async look(): Promise<void> {
    const feeds = [...this.running.values()].flatMap(({ allFeeds }) => allFeeds);
    const stored = this.progress.store(feeds.map(({ unsaved }) => unsaved));
    const seen = stored.catch(() => undefined).then(() => this.lookAtQueues());
    await allEnded([stored, seen]);
  }

  /** Finds messages that others wrote or left, and ends workers without work. */
  private async lookAtQueues(): Promise<void> {
    const { queues, lastSequence } = await this.queues.waiting();
    const own = queues.filter(({ partition }) => this.partitions.has(partition));
    this.waiting = own.reduce((sum, { messages }) => sum + messages, 0);
    for (const { partition, destinationId, messages } of own) {
      const lease = this.partitions.get(partition);
      if (lease?.isHeld) (await this.feed(destinationId, lease))?.notice(messages, lastSequence);
    }
    for (const [id, worker] of this.running) await this.endIfIdle(id, worker);
  }

  private async endIfIdle(id: string, worker: DestinationWorker): Promise<void> {
    const looks = worker.isIdle ? (this.idleLooks.get(id) ?? 0) + 1 : 0;
    this.idleLooks.set(id, looks);
    if (looks > this.idleLooksMax) await this.end(id);
  }

  private async purge(id: string): Promise<void> {
    const dropped = await this.queues.purge(id);
    await this.shares.forget(id);
    if (dropped > 0) this.logger.log(`${dropped} messages for the deleted destination ${id} were dropped`);
  }

  /**
   * Removes messages of deleted destinations that were missed, or that a router with an old inventory wrote. Also removes counts
   * of destinations with an empty queue. Acts only on what two consecutive sweeps find.
   */
  async sweep(): Promise<void> {
    const { inventory, shares, deleted } = this;
    const waiting = new Set((await this.queues.waiting()).queues.map(({ destinationId }) => destinationId));
    const unknown = [...waiting].filter((id) => !inventory.destination(id));
    const [before, foundNow] = [this.foundBefore, new Set(unknown)];
    for (const id of await deleted.of(unknown.filter((one) => before.has(one)))) await this.purge(id);
    for (const id of shares.known.filter((one) => !waiting.has(one))) {
      foundNow.add(id);
      if (before.has(id)) await shares.forget(id);
    }
    this.foundBefore = foundNow;
  }
}
