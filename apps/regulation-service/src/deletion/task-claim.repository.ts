import { inPieces, type Sql } from '@weir/messaging';
import { IS_OURS } from './task.repository.js';
import { INTERNAL_PURGES, type TaskState } from './task.rules.js';

/** A task that one eraser holds until its lease ends. */
export interface ClaimedTask {
  id: string;
  workspaceId: string;
  regulationId: string;
  destinationId: string;
  attempts: number;
  ageMs: number;
  userKey: Buffer;
  /** Encrypted. */
  attributes: string;
  /** Encrypted. Null if the task starts from the beginning. */
  progress: string | null;
  /** If set, the vendor has accepted the deletion, and only its outcome is to be checked. */
  jobReference: string | null;
  checks: number;
  forwardedForMs: number;
}

/** A destination of a workspace, or a purge of what Weir keeps of the workspace. */
export interface Target {
  workspaceId: string;
  destinationId: string;
}

/** The last turn of a target. `gaveWayAt` is null while it goes on. */
export interface TargetTurn extends Target {
  gaveWayAt: Date | null;
}

/** How many targets may begin a turn. */
export interface FreeSlots {
  destinations: number;
  internal: number;
  /** Slots of one workspace in each of the two, including those in use. */
  perWorkspace: number;
}

/**
 * Targets with due tasks that may begin a turn. Those of workspaces with the fewest slots come first, then those that wait longest.
 * After a turn, a target waits behind the others. Jumps from target to target in the index, however many tasks each has.
 */
export async function dueTargets(sql: Sql, turns: readonly TargetTurn[], free: FreeSlots): Promise<Target[]> {
  const { rows } = await sql.run<Target>(
    `WITH RECURSIVE target AS (
       (SELECT workspace_id, destination_id, due_at FROM deletion_tasks WHERE due_at IS NOT NULL
        ORDER BY workspace_id, destination_id, due_at LIMIT 1)
       UNION ALL
       SELECT following.* FROM target CROSS JOIN LATERAL (
         SELECT workspace_id, destination_id, due_at FROM deletion_tasks
         WHERE due_at IS NOT NULL AND (workspace_id, destination_id) > (target.workspace_id, target.destination_id)
         ORDER BY workspace_id, destination_id, due_at LIMIT 1) AS following),
     waiting AS (
       SELECT workspace_id, destination_id, destination_id = ANY($4::text[]) AS is_internal,
         greatest(due_at, gave_way_at) AS since, turn IS NOT NULL AND gave_way_at IS NULL AS is_running, due_at
       FROM target LEFT JOIN (
         SELECT *, true AS turn FROM unnest($1::text[], $2::text[], $3::timestamptz[])
           AS last (workspace_id, destination_id, gave_way_at)) AS last USING (workspace_id, destination_id)),
     ranked AS (
       SELECT *, row_number() OVER (PARTITION BY workspace_id, is_internal ORDER BY is_running DESC, since) AS slot
       FROM waiting WHERE is_running OR due_at <= now()),
     placed AS (
       SELECT *, row_number() OVER (PARTITION BY is_internal ORDER BY slot, since) AS place
       FROM ranked WHERE NOT is_running AND slot <= $7)
     SELECT workspace_id AS "workspaceId", destination_id AS "destinationId" FROM placed
     WHERE place <= CASE WHEN is_internal THEN $6::int ELSE $5::int END ORDER BY place`,
    [
      turns.map(({ workspaceId }) => workspaceId),
      turns.map(({ destinationId }) => destinationId),
      turns.map(({ gaveWayAt }) => gaveWayAt),
      Object.keys(INTERNAL_PURGES),
      ...[free.destinations, free.internal, free.perWorkspace],
    ],
  );
  return rows;
}

/** Age in seconds of the oldest task that Weir still has to do, or 0. Reads open tasks only, by index. */
export async function oldestTaskSeconds(sql: Sql): Promise<number> {
  const { rows } = await sql.run<{ age: number | null }>(
    `SELECT extract(epoch FROM now() - min(created_at))::float8 AS age FROM deletion_tasks
     WHERE ${IS_OURS}`,
  );
  return rows[0]?.age ?? 0;
}

/**
 * Claims up to `limit` due tasks of a target. Tasks of a killed eraser are due when its lease ends. A task that the vendor
 * has accepted stays `forwarded` while its outcome is checked. One that was given back is still at the same attempt.
 */
export async function claimTasks(
  sql: Sql,
  claim: Target & { owner: string; leaseMs: number; limit: number },
): Promise<ClaimedTask[]> {
  const { rows } = await sql.run<ClaimedTask>(
    `UPDATE deletion_tasks AS task
     SET status = CASE WHEN task.receipt IS NULL THEN 'running' ELSE 'forwarded' END,
         attempts = task.attempts + (task.receipt IS NULL AND NOT (task.status = 'running' AND task.lease_owner IS NULL))::int,
         checks = task.checks + (task.receipt IS NOT NULL)::int,
         lease_owner = $2, due_at = now() + $3 * interval '1 millisecond'
     FROM (
       SELECT id FROM deletion_tasks WHERE workspace_id = $5 AND destination_id = $1 AND due_at <= now()
       ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED
     ) AS due, regulations AS regulation
     WHERE task.id = due.id AND regulation.id = task.regulation_id
     RETURNING task.id, task.workspace_id AS "workspaceId", task.regulation_id AS "regulationId",
       task.destination_id AS "destinationId", task.attempts, task.progress, task.receipt AS "jobReference", task.checks,
       (extract(epoch FROM now() - task.created_at) * 1000)::float8 AS "ageMs",
       coalesce(extract(epoch FROM now() - task.forwarded_at) * 1000, 0)::float8 AS "forwardedForMs",
       regulation.user_key AS "userKey", regulation.attributes`,
    [claim.destinationId, claim.owner, claim.leaseMs, claim.limit, claim.workspaceId],
  );
  return rows;
}

/** Extends the lease of claimed tasks while they are carried out. Tasks aborted in the meantime stay aborted. */
export async function renewTasks(sql: Sql, owner: string, ids: string[], leaseMs: number): Promise<void> {
  await sql.run(
    `UPDATE deletion_tasks SET due_at = now() + $3 * interval '1 millisecond'
     WHERE id IN (SELECT id FROM deletion_tasks WHERE id = ANY($2::bigint[]) AND lease_owner = $1 ORDER BY id FOR UPDATE)`,
    [owner, ids, leaseMs],
  );
}

/** Gives claimed tasks back whose turn ended. They go on in the next turn, before those that have not begun. */
export async function giveBackTasks(sql: Sql, owner: string, ids: string[]): Promise<void> {
  await sql.run(
    `UPDATE deletion_tasks SET lease_owner = NULL, due_at = created_at
     WHERE id IN (SELECT id FROM deletion_tasks WHERE id = ANY($2::bigint[]) AND lease_owner = $1 ORDER BY id FOR UPDATE)`,
    [owner, ids],
  );
}

/** Stores the encrypted progress of claimed tasks. Skips tasks that were aborted in the meantime. */
export async function keepProgress(sql: Sql, owner: string, ids: string[], progress: string): Promise<void> {
  await sql.run(
    `UPDATE deletion_tasks SET progress = $3
     WHERE id IN (SELECT id FROM deletion_tasks WHERE id = ANY($2::bigint[]) AND lease_owner = $1 ORDER BY id FOR UPDATE)`,
    [owner, ids, progress],
  );
}

/** Result of a claimed task, and the configuration that it used. */
export interface TaskResult {
  id: string;
  state: TaskState;
  configMark: string | null;
}

/** Writes the results of claimed tasks, and returns the ids of those that the owner still held. */
export async function finishTasks(sql: Sql, owner: string, results: readonly TaskResult[]): Promise<Set<string>> {
  const { rows } = await sql.run<{ id: string }>(
    `UPDATE deletion_tasks AS task
     SET status = result.status, reason = result.reason, receipt = result.receipt, config_mark = result.config_mark,
         lease_owner = NULL, due_at = now() + result.due_in_ms * interval '1 millisecond',
         progress = CASE WHEN result.status = 'failed' THEN task.progress END,
         forwarded_at = CASE WHEN result.status = 'forwarded' THEN coalesce(task.forwarded_at, now()) ELSE task.forwarded_at END,
         ended_at = CASE WHEN result.status NOT IN ('failed', 'forwarded') THEN now() END
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[])
       AS result (id, status, reason, receipt, config_mark, due_in_ms)
     WHERE task.id = result.id AND task.lease_owner = $1
     RETURNING task.id`,
    [
      owner,
      results.map(({ id }) => id),
      results.map(({ state }) => state.status),
      results.map(({ state }) => state.reason),
      results.map(({ state }) => state.jobReference),
      results.map(({ configMark }) => configMark),
      results.map(({ state }) => state.dueInMs),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Makes failed tasks due at once if their destination's configuration differs from the one that they failed with. Looks on both sides of
 * the mark in the index of failed tasks, in its order, so those that failed with the same configuration are not read, however many.
 */
export function retryMended(sql: Sql, marks: ReadonlyMap<string, string>): Promise<void> {
  const failedWith = (comparison: '<' | '>') =>
    `(SELECT id FROM deletion_tasks
      WHERE status = 'failed' AND destination_id = current.destination_id AND config_mark ${comparison} current.mark
        AND due_at > now()
      ORDER BY destination_id, config_mark, due_at LIMIT $3)`;
  return inPieces(
    sql,
    `UPDATE deletion_tasks SET due_at = now() WHERE id IN (
       SELECT id FROM deletion_tasks WHERE status = 'failed' AND id = ANY(ARRAY(
         SELECT task.id FROM unnest($1::text[], $2::text[]) AS current (destination_id, mark)
         CROSS JOIN LATERAL (${failedWith('<')} UNION ALL ${failedWith('>')}) AS task LIMIT $3))
       ORDER BY id FOR UPDATE)`,
    [[...marks.keys()], [...marks.values()]],
  );
}
