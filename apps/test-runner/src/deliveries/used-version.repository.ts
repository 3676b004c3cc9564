import { Injectable } from '@nestjs/common';
import type { ListUsedVersions, ReplyOf } from '@weir/contracts';
import { DataSource } from 'typeorm';

/** How long a deliverer's last use of a version is kept. */
const KEPT = '1 day';
/** Deliverers per reply. */
const SHOWN_MAX = 100;

export interface UsedVersion {
  workspaceId: string;
  destinationId: string;
  versionId: string;
  lastUsedAt: Date;
}

/** Stores which version each deliverer last ran for each destination. */
@Injectable()
export class UsedVersionRepository {
  constructor(private readonly database: DataSource) {}

  async put(deliverer: string, used: readonly UsedVersion[]): Promise<void> {
    await this.database.query(
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
    const rows = await this.database.query<{ deliverer: string; version_id: string; last_used_at: Date }[]>(
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
    await this.database.query(`DELETE FROM used_versions WHERE last_used_at < now() - interval '${KEPT}'`);
  }
}
