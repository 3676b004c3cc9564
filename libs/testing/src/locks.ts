import type { Sql } from '@weir/messaging';

/** How many sessions of this file wait for a lock. The server has the databases of other files, too. */
export async function waitingForLocks(sql: Sql): Promise<number> {
  const { count } = await sql.run(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return count;
}
