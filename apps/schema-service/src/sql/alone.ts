import type { Sql, SqlDatabase } from '@weir/messaging';

/**
 * Does the work in a transaction under an advisory lock, unless another process holds it. Returns whether it did.
 *
 * @param lock any number that no other work uses and that never changes
 */
export function alone(database: SqlDatabase, lock: number, work: (sql: Sql) => Promise<unknown>): Promise<boolean> {
  return database.transaction(async (sql) => {
    const { rows } = await sql.run<{ held: boolean }>(`SELECT pg_try_advisory_xact_lock($1) AS held`, [lock]);
    if (!rows[0]?.held) return false;
    await work(sql);
    return true;
  });
}
