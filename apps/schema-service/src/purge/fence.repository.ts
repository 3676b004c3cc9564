import { removeRows, type Sql } from '@weir/messaging';
import { REMEMBERED_DAYS } from '../aggregation/limits.js';

/**
 * Key of the advisory lock on fences. Any number works if it never changes. Flushes share the lock, and a purge that raises
 * fences holds it alone.
 */
const FENCE_LOCK = 7_360_002;

/** Locks until the transaction ends. A reader either acts before fences are raised, or sees the raised ones. */
export async function lockFences(sql: Sql, why: 'to read them' | 'to raise them'): Promise<void> {
  const shared = why === 'to read them' ? '_shared' : '';
  await sql.run(`SELECT pg_advisory_xact_lock${shared}($1)`, [FENCE_LOCK]);
}

/** Epoch by partition. A message written in an earlier epoch is late. */
export async function readFences(sql: Sql): Promise<Map<number, number>> {
  const { rows } = await sql.run<{ partition: number; epoch: number }>(
    `SELECT partition, epoch::float8 AS epoch FROM fences`,
  );
  return new Map(rows.map(({ partition, epoch }) => [partition, epoch]));
}

export async function prunePurgedUsers(sql: Sql): Promise<void> {
  await removeRows(sql, 'purged_users', `purged_at < now() - $1 * interval '1 day'`, [REMEMBERED_DAYS]);
}
