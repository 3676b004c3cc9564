import type { NatsConnection } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import { PARTITIONS, partitionOf } from '@weir/contracts';
import { flushed, type Lease, LeaseKeeper, type LeaseTable } from '@weir/messaging';
import type { DeletedCheck } from './deleted-check.js';
import { DestinationWorker, type DestinationWorkerParts } from './destination-worker.js';

/** Interval between sweeps for messages of deleted destinations. */
const SWEEP_MS = 60_000;

/** Destinations are spread over as many leases as there are partitions. One process owns each lease at a time. */
export const DELIVERY_SLOTS = PARTITIONS;
const slotOf = (destinationId: string) => partitionOf('delivery', destinationId);

export interface DeliveryOwnerParts extends DestinationWorkerParts {
  deleted: DeletedCheck;
}

/** Keeps a worker for each destination whose lease this process holds. */
export class DeliveryOwner {
  private readonly logger = new Logger(DeliveryOwner.name);
  private readonly keeper: LeaseKeeper;
  private readonly slots = new Map<number, Lease>();
  private readonly workers = new Map<string, DestinationWorker>();
  /** Workers that are stopping. The next worker of the same destination waits for them. */
  private readonly ending = new Map<string, Promise<void>>();
  private sweeper: NodeJS.Timeout | undefined;
  private foundBefore = new Set<string>();

  constructor(
    private readonly parts: DeliveryOwnerParts,
    leases: LeaseTable,
    private readonly nats: NatsConnection,
  ) {
    const holder = {
      take: (lease: Lease) => this.takeSlot(lease),
      drop: (lease: Lease) => this.dropSlot(lease),
    };
    this.keeper = new LeaseKeeper(leases, holder, this.logger);
  }

  start(): void {
    this.parts.inventory.onChange(({ kind, id }) => {
      if (kind === 'destination') this.update(id);
    });
    this.keeper.start();
    this.sweeper = setInterval(() => void this.sweep().catch(() => undefined), SWEEP_MS);
    void this.followBroker();
  }

  async stop(): Promise<void> {
    clearInterval(this.sweeper);
    await this.keeper.stop();
    await Promise.all(this.ending.values());
  }

  /** Number of unfinished messages for destinations of this process. */
  async waiting(): Promise<number> {
    const counts = [...(await this.parts.queues.waiting())].filter(([id]) => this.slots.has(slotOf(id)));
    return counts.reduce((sum, [, count]) => sum + count, 0);
  }

  private takeSlot(lease: Lease): void {
    this.slots.set(lease.slot, lease);
    for (const { id } of this.parts.inventory.destinations()) this.update(id);
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
    if (this.parts.inventory.destination(id)) void this.begin(id);
    else if (this.workers.has(id)) void this.forget(id);
  }

  private async begin(id: string): Promise<void> {
    await this.ending.get(id);
    const lease = this.slots.get(slotOf(id));
    if (!lease || !this.parts.inventory.destination(id) || this.workers.has(id)) return;
    this.workers.set(id, new DestinationWorker(id, this.parts, lease));
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
      if ((await this.parts.deleted.of([id])).length > 0) await this.purge(id);
    } catch (error) {
      this.logger.warn(`the queue of ${id} is left for the sweep: ${(error as Error).message}`);
    }
  }

  private async purge(id: string): Promise<void> {
    const dropped = await this.parts.queues.remove(id);
    await this.parts.shares.forget(id);
    if (dropped > 0) this.logger.log(`${dropped} messages for ${id}, which is gone, are dropped`);
  }

  /**
   * Removes messages of deleted destinations that were missed, or that a router with an old inventory wrote. Also removes counts
   * of destinations with an empty queue. Acts only on what two consecutive sweeps find.
   */
  async sweep(): Promise<void> {
    const { inventory, queues, shares, deleted } = this.parts;
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
