import type { Sql } from '@weir/messaging';
import { INTERNAL_PURGES } from '../deletion/internal.js';

/** Stands for every source, also those that are created later. No id of a source is written like this. */
export const ALL_SOURCES = '*';

export interface SuppressionRow {
  userKey: Buffer;
  sourceId: string;
  regulationId: string;
}

/**
 * Which of the asked pairs an active regulation covers, by their index. The key stands for workspace and user. The LIMIT
 * keeps the planner at one index look-up for each pair: asked for thousands it would read the whole table instead.
 */
export async function suppressedIndexes(
  sql: Sql,
  asked: readonly { userKey: Buffer; sourceId: string }[],
): Promise<number[]> {
  const rows = await sql.query<{ index: number }[]>(
    `SELECT asked.ordinal::int - 1 AS index
     FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS asked (user_key, source_id, ordinal)
     CROSS JOIN LATERAL (
       SELECT FROM suppressions AS row
       WHERE row.user_key = asked.user_key AND row.source_id IN (asked.source_id, $3) LIMIT 1
     ) AS found`,
    [asked.map(({ userKey }) => userKey), asked.map(({ sourceId }) => sourceId), ALL_SOURCES],
  );
  return rows.map(({ index }) => index);
}

/**
 * Which of the asked users were deleted, by their index, and until when: when the last deletion that Weir has carried out in
 * itself began. What came in before it was handed on before it, or was held up on its way.
 */
export async function deletedIndexes(
  sql: Sql,
  workspaceId: string,
  userKeys: readonly Buffer[],
): Promise<{ index: number; until: Date }[]> {
  if (userKeys.length === 0) return [];
  return sql.query<{ index: number; until: Date }[]>(
    `SELECT asked.ordinal::int - 1 AS index, found.until
     FROM unnest($2::bytea[]) WITH ORDINALITY AS asked (user_key, ordinal)
     CROSS JOIN LATERAL (
       SELECT barrier.passed_at AS until
       FROM regulations AS row
       JOIN deletion_tasks AS task ON task.regulation_id = row.id AND task.destination_id = ANY($3::text[])
       JOIN deletion_barriers AS barrier ON barrier.id = task.barrier_id
       WHERE row.workspace_id = $1 AND row.user_key = asked.user_key AND task.status = 'complete'
       ORDER BY barrier.passed_at DESC LIMIT 1
     ) AS found`,
    [workspaceId, userKeys, Object.keys(INTERNAL_PURGES)],
  );
}

/** In the order of their keys, so that two writers never wait for each other in a circle. */
export async function insertSuppressions(sql: Sql, rows: readonly SuppressionRow[]): Promise<void> {
  await sql.query(
    `INSERT INTO suppressions (user_key, source_id, regulation_id)
     SELECT * FROM unnest($1::bytea[], $2::text[], $3::uuid[]) ORDER BY 1, 2, 3`,
    [rows.map(({ userKey }) => userKey), rows.map(({ sourceId }) => sourceId), rows.map((row) => row.regulationId)],
  );
}

/** Lifts one regulation; rows of others for the same user stay. */
export async function deleteSuppressions(sql: Sql, userKey: Buffer, regulationId: string): Promise<void> {
  await sql.query('DELETE FROM suppressions WHERE user_key = $1 AND regulation_id = $2', [userKey, regulationId]);
}
