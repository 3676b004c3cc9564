import type { Database } from '@weir/service-kit';
import { until } from './until.js';

/**
 * Simulates a long pause of the holder: gives all leases of the role to another owner, and waits until the holder has noticed.
 */
export async function loseLeases(database: Database, role: string): Promise<void> {
  const thief = 'somebody else';
  await database.run(`UPDATE leases SET owner = $2, epoch = epoch + 1 WHERE role = $1`, [role, thief]);
  const keep = `UPDATE leases SET expires_at = now() + interval '1 hour' WHERE role = $1 AND owner = $2`;
  // a holder sends a heartbeat and then renews its leases, so after the second heartbeat from now it has noticed
  const words = new Set<number>();
  await until('the holder to learn it', async () => {
    await database.run(keep, [role, thief]); // members cut what lasts that long
    const sql = `SELECT expires_at FROM lease_members WHERE role = $1`;
    const { rows } = await database.run<{ expires_at: Date }>(sql, [role]);
    for (const { expires_at } of rows) words.add(expires_at.getTime());
    return words.size > 2;
  });
}

/** Frees all leases of the role for the next member that claims them. */
export async function freeLeases(database: Database, role: string): Promise<void> {
  await database.run('UPDATE leases SET owner = NULL, expires_at = NULL WHERE role = $1', [role]);
}
