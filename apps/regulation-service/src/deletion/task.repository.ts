import type { DeletionStatus } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import type { TaskState } from './task.rules.js';

export interface NewTasks {
  workspaceId: string;
  regulationIds: string[];
  /** In the order in which they are to be shown. */
  destinations: { id: string; type: string }[];
}

export interface TaskRow {
  destinationId: string;
  status: DeletionStatus;
  attempts: number;
  reason: string | null;
}

/** A task in the hands of one eraser, until its lease ends. */
export interface ClaimedTask {
  id: string;
  workspaceId: string;
  regulationId: string;
  destinationId: string;
  attempts: number;
  ageMs: number;
  userKey: Buffer;
  /** Sealed. */
  attributes: string;
}

/** A task that has ended, for the audit trail. */
export interface EndedTask {
  regulationId: string;
  userKey: Buffer;
  destinationId: string;
  status: DeletionStatus;
}

/** One task for each regulation and destination, behind a barrier of their own. */
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
    `SELECT destination_id AS "destinationId", status, attempts, reason FROM deletion_tasks
     WHERE workspace_id = $1 AND regulation_id = $2 ORDER BY id`,
    [workspaceId, regulationId],
  );
}

/** Only what nobody has begun: running and forwarded tasks finish (ruling 16). Rows are locked in order of id, as everywhere. */
export async function cancelPendingTasks(sql: Sql, workspaceId: string, regulationId: string): Promise<number> {
  const [, count] = await sql.query<[unknown[], number]>(
    `UPDATE deletion_tasks SET status = 'canceled', due_at = NULL WHERE id IN (
       SELECT id FROM deletion_tasks WHERE workspace_id = $1 AND regulation_id = $2 AND status = 'pending'
       ORDER BY id FOR UPDATE)`,
    [workspaceId, regulationId],
  );
  return count;
}

/** Whatever has not ended; a call that is under way may still reach the destination. */
export async function abortTasks(
  sql: Sql,
  workspaceId: string,
  destinationId: string,
  reason: string,
): Promise<EndedTask[]> {
  const [rows] = await sql.query<[EndedTask[], number]>(
    `UPDATE deletion_tasks AS task SET status = 'aborted', reason = $3, due_at = NULL, lease_owner = NULL
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

/** Destinations with work to do, those that wait longest first. */
export async function dueDestinations(sql: Sql, except: string[], limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(
    `SELECT destination_id AS id FROM deletion_tasks WHERE due_at <= now() AND destination_id <> ALL($1::text[])
     GROUP BY destination_id ORDER BY min(due_at) LIMIT $2`,
    [except, limit],
  );
  return rows.map(({ id }) => id);
}

/** Takes up to `limit` due tasks of a destination; tasks whose former holder was killed are due when its lease ends. */
export async function claimTasks(
  sql: Sql,
  claim: { destinationId: string; owner: string; leaseMs: number; limit: number },
): Promise<ClaimedTask[]> {
  const [rows] = await sql.query<[ClaimedTask[], number]>(
    `UPDATE deletion_tasks AS task
     SET status = 'running', attempts = task.attempts + 1, lease_owner = $2, due_at = now() + $3 * interval '1 millisecond'
     FROM (
       SELECT id FROM deletion_tasks WHERE destination_id = $1 AND due_at <= now()
       ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED
     ) AS due, regulations AS regulation
     WHERE task.id = due.id AND regulation.id = task.regulation_id
     RETURNING task.id, task.workspace_id AS "workspaceId", task.regulation_id AS "regulationId",
       task.destination_id AS "destinationId", task.attempts,
       (extract(epoch FROM now() - task.created_at) * 1000)::float8 AS "ageMs",
       regulation.user_key AS "userKey", regulation.attributes`,
    [claim.destinationId, claim.owner, claim.leaseMs, claim.limit],
  );
  return rows;
}

/** Keeps claimed tasks from coming due while they are being carried out; what was aborted meanwhile stays so. */
export async function renewTasks(sql: Sql, owner: string, ids: string[], leaseMs: number): Promise<void> {
  await sql.query(
    `UPDATE deletion_tasks SET due_at = now() + $3 * interval '1 millisecond'
     WHERE id IN (SELECT id FROM deletion_tasks WHERE id = ANY($2::bigint[]) AND lease_owner = $1 ORDER BY id FOR UPDATE)`,
    [owner, ids, leaseMs],
  );
}

/** Writes what became of claimed tasks; answers the ids of those that were still the owner's. */
export async function finishTasks(
  sql: Sql,
  owner: string,
  results: readonly { id: string; state: TaskState }[],
): Promise<Set<string>> {
  const [rows] = await sql.query<[{ id: string }[], number]>(
    `UPDATE deletion_tasks AS task
     SET status = result.status, reason = result.reason, lease_owner = NULL,
         due_at = now() + result.due_in_ms * interval '1 millisecond'
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::float8[]) AS result (id, status, reason, due_in_ms)
     WHERE task.id = result.id AND task.lease_owner = $1
     RETURNING task.id`,
    [
      owner,
      results.map(({ id }) => id),
      results.map(({ state }) => state.status),
      results.map(({ state }) => state.reason),
      results.map(({ state }) => state.dueInMs),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}
