import { Injectable, Logger } from '@nestjs/common';
import type { DeliveryOwnerIds } from '../deliveries/delivery-unit.js';
import { type DeliveryCount, DeliveryCountRepository } from './delivery-count.repository.js';

/** What is counted is written down so often: one statement for all destinations of the process. */
const FLUSH_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Counts in memory and adds to the database. A process that is killed takes its last second with it. */
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

  /** What could not be written is counted again. */
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
