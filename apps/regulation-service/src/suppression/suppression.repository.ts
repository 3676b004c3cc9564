import { chunksOf } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { SEND_DEADLINE_MS } from '../deletion/barrier.service.js';

/** Stands for every source, including future ones. No source id has this form. */
export const ALL_SOURCES = '*';

export interface SuppressionRow {
  userKey: Buffer;
  sourceId: string;
  regulationId: string;
}

/**
 * Indexes of the given pairs that an active regulation covers. The key stands for workspace and user. The LIMIT keeps the planner
 * at one index look-up per pair. Without it, a query with thousands of pairs would read the whole table.
 */
export async function suppressedIndexes(
  sql: Sql,
  asked: readonly { userKey: Buffer; sourceId: string }[],
): Promise<number[]> {
  const { rows } = await sql.run<{ index: number }>(
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
 * Indexes of the given pairs that a regulation covers or covered, in one snapshot. A lifted one has the time up to which events
 * that came in count as suppressed. An active one has none.
 */
export async function coveredIndexes(
  sql: Sql,
  asked: readonly { userKey: Buffer; sourceId: string }[],
): Promise<{ index: number; until: Date | null }[]> {
  const { rows } = await sql.run<{ index: number; until: Date | null }>(
    `WITH asked AS (SELECT * FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS asked (user_key, source_id, ordinal))
     SELECT asked.ordinal::int - 1 AS index, NULL::timestamptz AS until
     FROM asked CROSS JOIN LATERAL (
       SELECT FROM suppressions AS row
       WHERE row.user_key = asked.user_key AND row.source_id IN (asked.source_id, $3) LIMIT 1
     ) AS active
     UNION ALL
     SELECT asked.ordinal::int - 1, lifted.until
     FROM asked CROSS JOIN LATERAL (
       SELECT row.lifted_at AS until FROM lifted_suppressions AS row
       WHERE row.user_key = asked.user_key AND row.source_id IN (asked.source_id, $3) ORDER BY row.lifted_at DESC LIMIT 1
     ) AS lifted`,
    [asked.map(({ userKey }) => userKey), asked.map(({ sourceId }) => sourceId), ALL_SOURCES],
  );
  return rows;
}

/** Indexes of the given users that the workspace ever had a regulation for. Suppressed and deleted users are among them. */
export async function regulatedIndexes(sql: Sql, workspaceId: string, userKeys: readonly Buffer[]): Promise<number[]> {
  if (userKeys.length === 0) return [];
  const { rows } = await sql.run<{ index: number }>(
    `SELECT asked.ordinal::int - 1 AS index
     FROM unnest($2::bytea[]) WITH ORDINALITY AS asked (user_key, ordinal)
     CROSS JOIN LATERAL (
       SELECT FROM regulations AS row WHERE row.workspace_id = $1 AND row.user_key = asked.user_key LIMIT 1
     ) AS found`,
    [workspaceId, userKeys],
  );
  return rows.map(({ index }) => index);
}

/**
 * Indexes of the given users whose deletion began anywhere, each with a time limit. The limit is the moment when the barrier of the
 * last such deletion began to open. Events that came in before it were handed on earlier or were delayed on their way. It does not move
 * while more tasks open, because a cancellation may lift the suppression meanwhile. A task that has begun counts before it ends, because
 * a cancellation may leave it alone. One is enough, because all tasks of a regulation share a barrier.
 */
export async function deletedIndexes(
  sql: Sql,
  workspaceId: string,
  userKeys: readonly Buffer[],
): Promise<{ index: number; until: Date }[]> {
  if (userKeys.length === 0) return [];
  const { rows } = await sql.run<{ index: number; until: Date }>(
    `SELECT asked.ordinal::int - 1 AS index, found.until
     FROM unnest($2::bytea[]) WITH ORDINALITY AS asked (user_key, ordinal)
     CROSS JOIN LATERAL (
       SELECT least(barrier.passed_at, barrier.drained_at + $3 * interval '1 millisecond') AS until
       FROM regulations AS row
       CROSS JOIN LATERAL (
         SELECT barrier_id FROM deletion_tasks
         WHERE regulation_id = row.id AND attempts > 0 AND status <> 'not_supported' LIMIT 1
       ) AS begun
       JOIN deletion_barriers AS barrier ON barrier.id = begun.barrier_id
       WHERE row.workspace_id = $1 AND row.user_key = asked.user_key
       ORDER BY until DESC LIMIT 1
     ) AS found`,
    [workspaceId, userKeys, SEND_DEADLINE_MS],
  );
  return rows;
}

/** Rows of one statement. A request may have a hundred thousand, and each statement must end in its time. */
const INSERTED_AT_ONCE = 5_000;

/** Inserts rows in pieces, each in the order of the index. No two writers have the same rows, because regulations are new. */
export async function insertSuppressions(sql: Sql, rows: readonly SuppressionRow[]): Promise<void> {
  for (const some of chunksOf(rows, { itemsMax: INSERTED_AT_ONCE })) {
    await sql.run(
      `INSERT INTO suppressions (user_key, source_id, regulation_id)
       SELECT * FROM unnest($1::bytea[], $2::text[], $3::uuid[]) ORDER BY 1, 2, 3`,
      [some.map(({ userKey }) => userKey), some.map(({ sourceId }) => sourceId), some.map((row) => row.regulationId)],
    );
  }
}

/** Older events than this wait in no stream. */
const LIFTED_KEPT_DAYS = 30;
/** Old rows of any workspace that each cancellation removes. Removing more than one adds shrinks a backlog. */
const FORGOTTEN_AT_ONCE = 5_000;

/**
 * Lifts one regulation for events that come in from now on. Rows of other regulations for the same user stay. What came in before
 * may still wait for the filter, so the time is kept. A gateway whose clock is ahead must not stop what comes later.
 */
export async function liftSuppressions(sql: Sql, userKey: Buffer, regulationId: string, liftedAt: Date): Promise<void> {
  await sql.run(
    `WITH lifted AS (
       DELETE FROM suppressions WHERE user_key = $1 AND regulation_id = $2 RETURNING user_key, source_id
     ), old AS (
       DELETE FROM lifted_suppressions WHERE (user_key, source_id) IN (
         SELECT user_key, source_id FROM lifted_suppressions
         WHERE lifted_at < now() - $4 * interval '1 day' AND user_key <> $1
         ORDER BY lifted_at LIMIT $5 FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO lifted_suppressions AS known (user_key, source_id, lifted_at) SELECT user_key, source_id, least($3::timestamptz, now()) FROM lifted
     ON CONFLICT (user_key, source_id) DO UPDATE SET lifted_at = greatest(known.lifted_at, excluded.lifted_at)`,
    [userKey, regulationId, liftedAt, LIFTED_KEPT_DAYS, FORGOTTEN_AT_ONCE],
  );
}
