import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InventoryMirror } from '@weir/inventory';
import { Database } from '@weir/service-kit';
import { DestinationWorkers } from '../sending/destination-workers.js';

/** Well below the time for which an open breaker is believed. */
const INTERVAL_MS = 5_000;

/** Writes down which breakers of this process are open, because the process that tells people may be another. */
@Injectable()
export class BreakerJournal implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BreakerJournal.name);
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly inventory: InventoryMirror,
    private readonly workers: DestinationWorkers,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.writing = this.write().catch((error: Error) =>
        this.logger.warn(`cannot write down open breakers: ${error.message}`),
      );
    }, INTERVAL_MS);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
  }

  private async write(): Promise<void> {
    const open = this.workers.down.flatMap((id) => this.inventory.destination(id) ?? []);
    if (open.length === 0) return;
    await this.database.run(
      `INSERT INTO open_breakers (destination_id, workspace_id, seen_at)
       SELECT id, workspace_id, now() FROM unnest($1::text[], $2::text[]) AS open (id, workspace_id) ORDER BY id
       ON CONFLICT (destination_id) DO UPDATE SET seen_at = EXCLUDED.seen_at`,
      [open.map(({ id }) => id), open.map(({ workspaceId }) => workspaceId)],
    );
    await this.database.run(`DELETE FROM open_breakers WHERE seen_at < now() - interval '1 day'`);
  }
}
