import type { DeletionStatus } from '@weir/contracts';
import type { Sql } from '@weir/messaging';

export interface NewTasks {
  workspaceId: string;
  regulationIds: string[];
  /** In display order. */
  destinations: { id: string; type: string }[];
}

export interface TaskRow {
  destinationId: string;
  destinationType: string;
  status: DeletionStatus;
  attempts: number;
  /** How often the vendor was asked for the outcome. */
  checks: number;
  reason: string | null;
  forwardedAt: Date | null;
  endedAt: Date | null;
  /** Time of the next attempt, or of the next check with the vendor. */
  nextAt: Date | null;
}

/** A task that has ended, for the audit trail. Forwarded tasks use this type too. */
export interface EndedTask {
  regulationId: string;
  userKey: Buffer;
  destinationId: string;
  status: DeletionStatus;
}

/** Inserts one task per regulation and destination, behind a barrier of their own. */
export async function insertTasks(sql: Sql, { workspaceId, regulationIds, destinations }: NewTasks): Promise<void> {
  const [barrier] = await sql.query<{ id: string }[]>('INSERT INTO deletion_barriers DEFAULT VALUES RETURNING id');
  await sql.query(
    `INSERT INTO deletion_tasks (workspace_id, barrier_id, regulation_id, destination_id, destination_type)
     SELECT $1, $2, regulation.id, destination.id, destination.type
     FROM unnest($3::uuid[]) WITH ORDINALITY AS regulation (id, ordinal)
     CROSS JOIN unnest($4::text[], $5::text[]) WITH ORDINALITY AS destination (id, type, ordinal)
     ORDER BY regulation.ordinal, destination.ordinal`,
    [workspaceId, barrier?.id, regulationIds, destinations.map(({ id }) => id), destinations.map(({ type }) => type)],
  );
}

export function listTasks(sql: Sql, workspaceId: string, regulationId: string): Promise<TaskRow[]> {
  return sql.query(
    `SELECT destination_id AS "destinationId", destination_type AS "destinationType", status, attempts, checks, reason,
       forwarded_at AS "forwardedAt", ended_at AS "endedAt",
       CASE WHEN status IN ('failed', 'forwarded') AND lease_owner IS NULL THEN due_at END AS "nextAt"
     FROM deletion_tasks WHERE workspace_id = $1 AND regulation_id = $2 ORDER BY id`,
    [workspaceId, regulationId],
  );
}

/**
 * Cancels only tasks that nobody has begun. Running and forwarded tasks finish (ruling 16). Locks rows in order of id, like all
 * writers.
 */
export async function cancelPendingTasks(sql: Sql, workspaceId: string, regulationId: string): Promise<number> {
  const [, count] = await sql.query<[unknown[], number]>(
    `UPDATE deletion_tasks SET status = 'canceled', due_at = NULL, ended_at = now() WHERE id IN (
       SELECT id FROM deletion_tasks WHERE workspace_id = $1 AND regulation_id = $2 AND status = 'pending'
       ORDER BY id FOR UPDATE)`,
    [workspaceId, regulationId],
  );
  return count;
}

/** Aborts pending, running and failed tasks. A call under way may still reach the destination. */
export async function abortTasks(
  sql: Sql,
  workspaceId: string,
  destinationId: string,
  reason: string,
): Promise<EndedTask[]> {
  const [rows] = await sql.query<[EndedTask[], number]>(
    `UPDATE deletion_tasks AS task SET status = 'aborted', reason = $3, due_at = NULL, ended_at = now(), lease_owner = NULL,
         progress = NULL
     FROM regulations AS regulation
     WHERE regulation.id = task.regulation_id AND task.id IN (
       SELECT id FROM deletion_tasks
       WHERE workspace_id = $1 AND destination_id = $2 AND status IN ('pending', 'running', 'failed')
       ORDER BY id FOR UPDATE)
     RETURNING task.regulation_id AS "regulationId", regulation.user_key AS "userKey",
               task.destination_id AS "destinationId", task.status`,
    [workspaceId, destinationId, reason],
  );
  return rows;
}
