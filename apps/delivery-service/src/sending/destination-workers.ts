import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { PARTITIONS, partitionOf } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { flushed, type Lease, LeaseKeeper, LeaseTable, NATS, Periodic } from '@weir/messaging';
import { Database, Metrics } from '@weir/service-kit';
import { DeletedCheck } from '../checks/deleted-check.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { DeliveryShares } from '../queues/delivery-shares.js';
import { DestinationWorker } from './destination-worker.js';

/** Interval between sweeps for messages of deleted destinations. */
const SWEEP_MS = 60_000;

/** Destinations are spread over as many leases as there are partitions. One process owns each lease at a time. */
const SLOTS = PARTITIONS;
const slotOf = (destinationId: string) => partitionOf('delivery', destinationId);

/** Keeps a worker for each destination whose lease this process holds. */
@Injectable()
export class DestinationWorkers implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DestinationWorkers.name);
  private readonly keeper: LeaseKeeper;
  private readonly slots = new Map<number, Lease>();
  private readonly workers = new Map<string, DestinationWorker>();
  /** Workers that are stopping. The next worker of the same destination waits for them. */
  private readonly ending = new Map<string, Promise<void>>();
  private readonly sweeps = new Periodic({
    task: 'remove messages of deleted destinations',
    everyMs: SWEEP_MS,
    run: () => this.sweep(),
    log: this.logger,
  });
  private foundBefore = new Set<string>();

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly modules: ModuleRef,
    private readonly inventory: InventoryMirror,
    private readonly queues: DeliveryQueues,
    private readonly shares: DeliveryShares,
    private readonly deleted: DeletedCheck,
    database: Database,
    metrics: Metrics,
  ) {
    const holder = {
      take: (lease: Lease) => this.takeSlot(lease),
      drop: (lease: Lease) => this.dropSlot(lease),
    };
    this.keeper = new LeaseKeeper(new LeaseTable(database, { role: 'delivery', slots: SLOTS }), holder, this.logger);
    const waiting = () => this.waiting();
    metrics.gauge({
      name: 'weir_delivery_queue_messages',
      help: 'Unfinished messages for the destinations of this process, including those in progress',
      async collect() {
        this.set(await waiting().catch(() => Number.NaN));
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
      if (objectType === 'destination') this.update(id);
    });
    this.keeper.start();
    this.sweeps.start();
    void this.followBroker();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeps.stop();
    await this.keeper.stop();
    await Promise.all(this.ending.values());
  }

  /** The destinations of this process that count as down. */
  get down(): string[] {
    return [...this.workers].filter(([, worker]) => worker.isDown).map(([id]) => id);
  }

  /** Number of unfinished messages for destinations of this process. */
  private async waiting(): Promise<number> {
    const counts = [...(await this.queues.waiting())].filter(([id]) => this.slots.has(slotOf(id)));
    return counts.reduce((sum, [, count]) => sum + count, 0);
  }

  private takeSlot(lease: Lease): void {
    this.slots.set(lease.slot, lease);
    for (const { id } of this.inventory.destinations()) this.update(id);
  }

  private async dropSlot({ slot }: Lease): Promise<void> {
    this.slots.delete(slot);
    const ids = [...this.workers.keys()].filter((id) => slotOf(id) === slot);
    await Promise.all(ids.map((id) => this.end(id)));
    // the broker must have every acknowledgement before the next owner begins
    await flushed(this.nats).catch(() => undefined);
  }

  private update(id: string): void {
    if (!this.slots.has(slotOf(id))) return;
    if (this.inventory.destination(id)) void this.begin(id);
    else if (this.workers.has(id)) void this.forget(id);
  }

  private async begin(id: string): Promise<void> {
    const worker = await this.modules.create(DestinationWorker);
    while (this.ending.has(id)) await this.ending.get(id);
    // lease and destination are those of now, because both may have changed meanwhile
    const [lease, destination] = [this.slots.get(slotOf(id)), this.inventory.destination(id)];
    if (!lease || !destination || this.workers.has(id)) return;
    this.workers.set(id, worker);
    worker.start({ workspaceId: destination.workspaceId, destinationId: id }, lease);
  }

  private end(id: string): Promise<void> {
    const worker = this.workers.get(id);
    if (!worker) return this.ending.get(id) ?? Promise.resolve();
    this.workers.delete(id);
    const ended = worker.stop().finally(() => this.ending.delete(id));
    this.ending.set(id, ended);
    return ended;
  }

  /** Stops the worker of a destination that left the inventory. Also removes its queue if the database confirms the deletion. */
  private async forget(id: string): Promise<void> {
    try {
      await this.end(id);
      if ((await this.deleted.of([id])).length > 0) await this.purge(id);
    } catch (error) {
      this.logger.warn(`the queue of ${id} is left for the sweep: ${(error as Error).message}`);
    }
  }

  private async purge(id: string): Promise<void> {
    const dropped = await this.queues.remove(id);
    await this.shares.forget(id);
    if (dropped > 0) this.logger.log(`${dropped} messages for the deleted destination ${id} were dropped`);
  }

  /**
   * Removes messages of deleted destinations that were missed, or that a router with an old inventory wrote. Also removes counts
   * of destinations with an empty queue. Acts only on what two consecutive sweeps find.
   */
  async sweep(): Promise<void> {
    const { inventory, queues, shares, deleted } = this;
    const waiting = await queues.waiting();
    const isOwn = (id: string) => this.slots.has(slotOf(id));
    const unknown = [...waiting.keys()].filter((id) => isOwn(id) && !inventory.destination(id));
    const [before, foundNow] = [this.foundBefore, new Set(unknown)];
    for (const id of await deleted.of(unknown.filter((one) => before.has(one)))) await this.purge(id);
    for (const id of shares.counted.filter((one) => isOwn(one) && !waiting.has(one))) {
      foundNow.add(id);
      if (before.has(id)) await shares.forget(id);
    }
    this.foundBefore = foundNow;
  }

  /** Pulls again after a reconnect, because the broker has forgotten every open pull. */
  private async followBroker(): Promise<void> {
    for await (const { type } of this.nats.status()) {
      if (type !== 'reconnect') continue;
      for (const worker of this.workers.values()) worker.pullAgain();
    }
  }
}
