import { deleteInPieces, type Sql } from '@weir/messaging';

/** Any number, but always the same: flushes share it, whoever raises fences has it alone. */
const FENCE_LOCK = 7_360_002;

/** Until the transaction ends. Whoever reads fences under it acts on them before they are raised, or knows that they were. */
export async function lockFences(sql: Sql, why: 'to read them' | 'to raise them'): Promise<void> {
  const shared = why === 'to read them' ? '_shared' : '';
  await sql.query(`SELECT pg_advisory_xact_lock${shared}($1)`, [FENCE_LOCK]);
}

/** By partition: what was written in an earlier epoch is late. */
export async function readFences(sql: Sql): Promise<Map<number, number>> {
  const rows = await sql.query<{ partition: number; epoch: number }[]>(
    `SELECT partition, epoch::float8 AS epoch FROM fences`,
  );
  return new Map(rows.map(({ partition, epoch }) => [partition, epoch]));
}

/** As long as batches are known that were counted: what comes later than that is counted twice, too. */
const PURGED_USERS_KEPT_DAYS = 14;

export async function prunePurgedUsers(sql: Sql): Promise<void> {
  await deleteInPieces(
    sql,
    `DELETE FROM purged_users WHERE user_key IN (
       SELECT user_key FROM purged_users WHERE purged_at < now() - $1 * interval '1 day' LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [PURGED_USERS_KEPT_DAYS],
  );
}
