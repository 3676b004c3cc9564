import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { StoredStatistics } from '../aggregation/statistics.js';

export interface OwnedStatistics extends StoredStatistics {
  ownerId: string;
  /** Equal to `ownerId` when they are the model's own. */
  eventId: string;
}

@Injectable()
export class PurgeRepository {
  /** Ids of up to `limit` models of the workspace behind `after`, in order. */
  async models(workspaceId: string, sql: Sql, after: string, limit: number): Promise<string[]> {
    const rows = await sql.query<{ event_id: string }[]>(
      `SELECT event_id FROM models WHERE workspace_id = $1 AND event_id > $2 ORDER BY event_id LIMIT $3`,
      [workspaceId, after, limit],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** The lock that every flush takes before it writes anything of the model. */
  async lock(workspaceId: string, sql: Sql, eventId: string): Promise<void> {
    await sql.query(`SELECT FROM models WHERE workspace_id = $1 AND event_id = $2 FOR UPDATE`, [workspaceId, eventId]);
  }

  /** Statistics of the model and of its versions. */
  async statistics(workspaceId: string, sql: Sql, eventId: string): Promise<OwnedStatistics[]> {
    return sql.query<OwnedStatistics[]>(
      `SELECT owner_id AS "ownerId", event_id AS "eventId", frequent_values AS values, samples
       FROM statistics JOIN models USING (event_id) WHERE workspace_id = $1 AND event_id = $2`,
      [workspaceId, eventId],
    );
  }

  async replace(workspaceId: string, sql: Sql, { ownerId, eventId, values, samples }: OwnedStatistics): Promise<void> {
    await sql.query(
      `UPDATE statistics SET frequent_values = $4, samples = $5 FROM models
       WHERE workspace_id = $1 AND models.event_id = $2 AND statistics.event_id = $2 AND owner_id = $3`,
      [workspaceId, eventId, ownerId, values, samples],
    );
  }
}
