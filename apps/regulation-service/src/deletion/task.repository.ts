import { Injectable } from '@nestjs/common';
import {
  chunksOf,
  DELETION_PROMISE_HOURS,
  type DeletionStatus,
  type ListOverdueDeletions,
  type ReplyOf,
  TROUBLE_ROWS_EACH,
} from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import type { AuditFact } from '../audit/audit.chain.js';
import { INTERNAL, type TaskStatus } from './task.rules.js';

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

/** Tasks of one statement. A request may have more than a hundred thousand, and each statement must end in its time. */
const INSERTED_AT_ONCE = 5_000;

/** Inserts one task per regulation and destination, behind their own barrier and in display order. The caller's transaction makes it all or nothing. */
export async function insertTasks(sql: Sql, { workspaceId, regulationIds, destinations }: NewTasks): Promise<void> {
  const { rows } = await sql.run<{ id: string }>(
    'INSERT INTO deletion_barriers (workspace_id) VALUES ($1) RETURNING id',
    [workspaceId],
  );
  const regulationsAtOnce = Math.max(1, Math.floor(INSERTED_AT_ONCE / destinations.length));
  for (const some of chunksOf(regulationIds, { itemsMax: regulationsAtOnce })) {
    for (const ofEach of chunksOf(destinations, { itemsMax: INSERTED_AT_ONCE })) {
      await insertSomeTasks(sql, rows[0]?.id, { workspaceId, regulationIds: some, destinations: ofEach });
    }
  }
}

async function insertSomeTasks(
  sql: Sql,
  barrierId: string | undefined,
  { workspaceId, regulationIds, destinations }: NewTasks,
): Promise<void> {
  await sql.run(
    `INSERT INTO deletion_tasks (workspace_id, barrier_id, regulation_id, destination_id, destination_type)
     SELECT $1, $2, regulation.id, destination.id, destination.type
     FROM unnest($3::uuid[]) WITH ORDINALITY AS regulation (id, ordinal)
     CROSS JOIN unnest($4::text[], $5::text[]) WITH ORDINALITY AS destination (id, type, ordinal)
     ORDER BY regulation.ordinal, destination.ordinal`,
    [workspaceId, barrierId, regulationIds, destinations.map(({ id }) => id), destinations.map(({ type }) => type)],
  );
}

export async function listTasks(sql: Sql, workspaceId: string, regulationId: string): Promise<TaskRow[]> {
  const { rows } = await sql.run<TaskRow>(
    `SELECT destination_id AS "destinationId", destination_type AS "destinationType", status, attempts, checks, reason,
       forwarded_at AS "forwardedAt", ended_at AS "endedAt",
       CASE WHEN status IN ('failed', 'forwarded') AND lease_owner IS NULL THEN due_at END AS "nextAt"
     FROM deletion_tasks WHERE workspace_id = $1 AND regulation_id = $2 ORDER BY id`,
    [workspaceId, regulationId],
  );
  return rows;
}

/**
 * Cancels only tasks that nobody has begun. Running and forwarded tasks finish (ruling 16). Locks rows in order of id, like all
 * writers.
 */
export async function cancelPendingTasks(sql: Sql, workspaceId: string, regulationId: string): Promise<number> {
  const { count } = await sql.run(
    `UPDATE deletion_tasks SET status = 'canceled', due_at = NULL, ended_at = now() WHERE id IN (
       SELECT id FROM deletion_tasks WHERE workspace_id = $1 AND regulation_id = $2 AND status = 'pending'
       ORDER BY id FOR UPDATE)`,
    [workspaceId, regulationId],
  );
  return count;
}

/** Tasks that end in one transaction. A destination may have hundreds of thousands. */
const ABORTED_AT_ONCE = 5_000;

/**
 * Aborts some pending, running and failed tasks, and returns none once all have ended. A call under way may still reach the destination.
 * The transaction must hold the lock of the trail, as all that end tasks do. The CTE is planned for all of its rows, so it uses the index
 * of open tasks. It is read only up to the LIMIT.
 */
export async function abortTasks(
  sql: Sql,
  workspaceId: string,
  destinationId: string,
  reason: string,
): Promise<EndedTask[]> {
  const { rows } = await sql.run<EndedTask>(
    `WITH open AS MATERIALIZED (
       SELECT id FROM deletion_tasks
       WHERE workspace_id = $1 AND destination_id = $2 AND status IN ('pending', 'running', 'failed'))
     UPDATE deletion_tasks AS task SET status = 'aborted', reason = $3, due_at = NULL, ended_at = now(), lease_owner = NULL,
         progress = NULL
     FROM regulations AS regulation
     WHERE regulation.id = task.regulation_id AND task.id IN (
       SELECT id FROM deletion_tasks WHERE id IN (SELECT id FROM open LIMIT $4) ORDER BY id FOR UPDATE)
     RETURNING task.regulation_id AS "regulationId", regulation.user_key AS "userKey",
               task.destination_id AS "destinationId", task.status`,
    [workspaceId, destinationId, reason, ABORTED_AT_ONCE],
  );
  return rows;
}

/**
 * Statuses of tasks by regulation. Regulations without tasks are missing. Destinations with the same status count as one without a name, because
 * a regulation may have a thousand, and its status follows from these.
 */
export async function taskStatusesOf(
  sql: Sql,
  workspaceId: string,
  regulationIds: readonly string[],
): Promise<Map<string, TaskStatus[]>> {
  const { rows } = await sql.run<{ id: string; tasks: TaskStatus[] }>(
    `SELECT regulation_id AS id, jsonb_agg(DISTINCT jsonb_build_object(
       'destinationId', CASE WHEN destination_type = $3 THEN destination_id ELSE '' END, 'status', status)) AS tasks
     FROM deletion_tasks WHERE workspace_id = $1 AND regulation_id = ANY($2::uuid[]) GROUP BY regulation_id`,
    [workspaceId, regulationIds, INTERNAL],
  );
  return new Map(rows.map(({ id, tasks }) => [id, tasks]));
}

/** Audit fact: a deletion ended, or the vendor accepted it. */
export const taskFact = (actor: string, task: EndedTask): AuditFact => ({
  actor,
  action: task.status === 'forwarded' ? 'deletion.forwarded' : 'deletion.ended',
  regulationId: task.regulationId,
  subjectHash: task.userKey,
  details: { destinationId: task.destinationId, status: task.status },
});

/**
 * SQL: a task that Weir still has to do. A `pending` one waits for its barrier. A `forwarded` one is in the vendor's hands, and its
 * time is the vendor's.
 */
export const IS_OURS = `(due_at IS NOT NULL OR status = 'pending') AND status <> 'forwarded'`;

/** Deletions that take longer than Weir promises. Notifications report them. */
@Injectable()
export class OverdueDeletions {
  constructor(private readonly database: Database) {}

  /** Lists them by destination. */
  async list(workspaceIds: string[]): Promise<ReplyOf<typeof ListOverdueDeletions>['overdue']> {
    const { rows } = await this.database.run<{ workspace_id: string; destination_id: string; count: number }>(
      `SELECT workspace_id, destination_id, count FROM (
         SELECT workspace_id, destination_id, count(*)::int AS count,
           row_number() OVER (PARTITION BY workspace_id ORDER BY min(id)) AS place
         FROM deletion_tasks
         WHERE ${IS_OURS} AND workspace_id = ANY($1)
           AND destination_type <> $3 AND created_at < now() - interval '${DELETION_PROMISE_HOURS} hours'
         GROUP BY workspace_id, destination_id
       ) AS overdue WHERE place <= $2`,
      [workspaceIds, TROUBLE_ROWS_EACH, INTERNAL],
    );
    return rows.map(({ workspace_id: workspaceId, destination_id: destinationId, count }) => ({
      ...{ workspaceId, destinationId, count },
    }));
  }
}
