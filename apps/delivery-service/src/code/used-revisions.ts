import { hostname } from 'node:os';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { DestinationRelease, ListUsedVersions, ReplyOf } from '@weir/contracts';
import { Periodic, removeRows } from '@weir/messaging';
import { Database } from '@weir/service-kit';

/** How long a deliverer's last use of a revision is kept. */
const KEPT = '1 day';
/** Deliverers per reply. */
const SHOWN_MAX = 100;

export interface UsedRevision {
  workspaceId: string;
  destinationId: string;
  versionId: string;
  lastUsedAt: Date;
}

/** Stores which revision each deliverer last ran for each destination. */
@Injectable()
export class UsedRevisionRepository {
  constructor(private readonly database: Database) {}

  async put(deliverer: string, used: readonly UsedRevision[]): Promise<void> {
    await this.database.run(
      `INSERT INTO used_versions (workspace_id, destination_id, deliverer, version_id, last_used_at)
       SELECT "workspaceId", "destinationId", $1, "versionId", "lastUsedAt"
       FROM jsonb_to_recordset($2)
         AS used ("workspaceId" text, "destinationId" text, "versionId" text, "lastUsedAt" timestamptz)
       ON CONFLICT (workspace_id, destination_id, deliverer) DO UPDATE
       SET version_id = EXCLUDED.version_id, last_used_at = EXCLUDED.last_used_at`,
      [deliverer, JSON.stringify(used)],
    );
  }

  async list(workspaceId: string, destinationId: string): Promise<ReplyOf<typeof ListUsedVersions>['deliverers']> {
    const { rows } = await this.database.run<{ deliverer: string; version_id: string; last_used_at: Date }>(
      `SELECT deliverer, version_id, last_used_at FROM used_versions WHERE workspace_id = $1 AND destination_id = $2
       ORDER BY last_used_at DESC, deliverer LIMIT $3`,
      [workspaceId, destinationId, SHOWN_MAX],
    );
    return rows.map(({ deliverer, version_id: versionId, last_used_at: lastUsedAt }) => ({
      deliverer,
      versionId,
      lastUsedAt: lastUsedAt.toISOString(),
    }));
  }

  async removeOld(): Promise<void> {
    await removeRows(this.database, 'used_versions', `last_used_at < now() - interval '${KEPT}'`);
  }
}

/** Write interval. One statement covers all destinations of the process. */
const FLUSH_MS = 1_000;

/** Remembers which revision this deliverer ran for which destination. The record is only evidence and never delays a delivery. */
@Injectable()
export class UsedRevisions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly flushes = new Periodic({
    task: 'save which revisions are in use',
    everyMs: FLUSH_MS,
    run: () => this.flush(),
    log: new Logger(UsedRevisions.name),
    runsAtStop: true,
  });
  private readonly deliverer = `${hostname()}/${process.pid}`;
  private waiting = new Map<string, UsedRevision>();

  constructor(private readonly repository: UsedRevisionRepository) {}

  onApplicationBootstrap(): void {
    this.flushes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.flushes.stop();
  }

  note({ workspaceId, destinationId, versionId }: DestinationRelease): void {
    if (versionId === null) return;
    this.waiting.set(destinationId, { workspaceId, destinationId, versionId, lastUsedAt: new Date() });
  }

  private async flush(): Promise<void> {
    if (this.waiting.size === 0) return;
    const used = [...this.waiting.values()];
    this.waiting = new Map();
    await this.repository.put(this.deliverer, used);
  }
}
