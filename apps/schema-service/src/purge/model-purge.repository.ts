import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { StoredStatistics } from '../aggregation/statistics.js';

/** The contents of one row, folded or not, and its model. */
export interface StoredRow extends StoredStatistics {
  eventId: string;
}

const ROWS_SQL = ['statistics', 'statistics_parts']
  .map(
    (table) =>
      `SELECT event_id AS "eventId", frequent_values AS values, samples FROM ${table} WHERE event_id = ANY($1::uuid[])`,
  )
  .join(' UNION ALL ');

@Injectable()
export class ModelPurgeRepository {
  /**
   * Up to `limit` models of the workspace after `after`, in order, with the bytes that each stores. Does not read the stored
   * texts.
   */
  async models(
    sql: Sql,
    { workspaceId, after, limit }: { workspaceId: string; after: string; limit: number },
  ): Promise<{ eventId: string; bytes: number }[]> {
    const size = `coalesce(sum(octet_length(frequent_values) + octet_length(samples)), 0)`;
    return sql.query(
      `SELECT event_id AS "eventId",
         ((SELECT ${size} FROM statistics WHERE statistics.event_id = page.event_id)
          + (SELECT ${size} FROM statistics_parts AS parts WHERE parts.event_id = page.event_id))::float8 AS bytes
       FROM (SELECT event_id FROM models WHERE workspace_id = $1 AND event_id > $2 ORDER BY event_id LIMIT $3) AS page
       ORDER BY event_id`,
      [workspaceId, after, limit],
    );
  }

  /** Everything that models and their versions store. */
  async rows(sql: Sql, eventIds: readonly string[]): Promise<StoredRow[]> {
    return sql.query(ROWS_SQL, [eventIds]);
  }

  /** Takes the lock that every flush takes before it writes to a model, in the same order as flushes. */
  async lock(sql: Sql, eventIds: readonly string[]): Promise<void> {
    await sql.query(`SELECT FROM models WHERE event_id = ANY($1::uuid[]) ORDER BY event_id FOR UPDATE`, [eventIds]);
  }
}
