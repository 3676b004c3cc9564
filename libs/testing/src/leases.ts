import type { DataSource } from 'typeorm';
import { until } from './until.js';

/** What a long pause of the holder comes to: all leases of the role are somebody else's, and the holder has learned it. */
export async function loseLeases(database: DataSource, role: string): Promise<void> {
  const stolen = `UPDATE leases SET owner = 'somebody else', epoch = epoch + 1, expires_at = now() + interval '1 hour'
    WHERE role = $1`;
  await database.query(stolen, [role]);
  // a holder says that it lives and then asks for its leases: after the second word from now on it has asked
  const words = new Set<number>();
  await until('the holder to learn it', async () => {
    const sql = `SELECT expires_at FROM lease_members WHERE role = $1`;
    for (const { expires_at } of await database.query<{ expires_at: Date }[]>(sql, [role]))
      words.add(expires_at.getTime());
    return words.size > 2;
  });
}

/** Whoever asks next gets them. */
export async function freeLeases(database: DataSource, role: string): Promise<void> {
  await database.query('UPDATE leases SET owner = NULL, expires_at = NULL WHERE role = $1', [role]);
}
