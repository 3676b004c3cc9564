import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InventoryMirror } from '@weir/inventory';
import { Periodic, removeRows } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { DestinationWorkers } from '../sending/destination-workers.js';

/** Well below the time for which an open breaker is believed. */
const INTERVAL_MS = 5_000;

/** Writes down which breakers of this process are open, because the process that tells people may be another. */
@Injectable()
export class BreakerJournal implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly notes = new Periodic({
    task: 'write down open breakers',
    everyMs: INTERVAL_MS,
    run: () => this.write(),
    log: new Logger(BreakerJournal.name),
  });

  constructor(
    private readonly database: Database,
    private readonly inventory: InventoryMirror,
    private readonly workers: DestinationWorkers,
  ) {}

  onApplicationBootstrap(): void {
    this.notes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.notes.stop();
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
    await removeRows(this.database, 'open_breakers', `seen_at < now() - interval '1 day'`);
  }
}
