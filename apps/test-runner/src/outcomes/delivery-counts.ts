import { Injectable, Logger } from '@nestjs/common';
import type { DeliveryOwnerIds } from '../deliveries/delivery-unit.js';
import { type DeliveryCount, DeliveryCountRepository } from './delivery-count.repository.js';

/** Write interval. One statement covers all destinations of the process. */
const FLUSH_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Counts in memory and adds the sums to the database. A killed process loses its last second. */
@Injectable()
export class DeliveryCounts {
  private readonly logger = new Logger(DeliveryCounts.name);
  private waiting = new Map<string, DeliveryCount>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly repository: DeliveryCountRepository) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  add({ workspaceId, destinationId }: DeliveryOwnerIds, name: string, events: number): void {
    const hour = Math.floor(Date.now() / HOUR_MS);
    const key = `${destinationId}/${hour}/${name}`;
    const known = this.waiting.get(key);
    if (known) known.events += events;
    else {
      const from = new Date(hour * HOUR_MS).toISOString();
      this.waiting.set(key, { workspaceId, destinationId, hour: from, name, events });
    }
  }

  /** Keeps counts that could not be written for the next flush. */
  private async flush(): Promise<void> {
    if (this.waiting.size === 0) return;
    const counts = [...this.waiting.values()];
    this.waiting = new Map();
    try {
      await this.repository.add(counts);
    } catch (error) {
      this.logger.warn(`deliveries are counted later: ${(error as Error).message}`);
      for (const count of counts) this.putBack(count);
    }
  }

  private putBack(count: DeliveryCount): void {
    const key = `${count.destinationId}/${Date.parse(count.hour) / HOUR_MS}/${count.name}`;
    const known = this.waiting.get(key);
    if (known) known.events += count.events;
    else this.waiting.set(key, count);
  }
}
