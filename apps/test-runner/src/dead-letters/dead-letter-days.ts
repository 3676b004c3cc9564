import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';

/** Older dead letters are removed, because they serve repair, not archiving. */
const KEPT_DAYS = 30;
/** Keeps partitions ready for a week in case no process of this version runs for a while. */
const DAYS_AHEAD = 7;
/** A session that waits for the table lock blocks everyone behind it, so the drop gives up early and retries an hour later. */
const LOCK_WAIT = '2s';

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
/** Only one process at a time creates partitions in a schema. */
const LOCK_SQL = `SELECT pg_advisory_xact_lock(hashtext('dead_letters'), hashtext(current_schema()))`;
const MISSING_SQL = `
  SELECT to_char(day, 'YYYYMMDD') AS name, day::text AS first, (day + 1)::text AS end
  FROM (SELECT ${TODAY} + n AS day FROM generate_series($1::int, $2::int) AS n) AS days
  WHERE to_regclass('dead_letters_' || to_char(day, 'YYYYMMDD')) IS NULL`;
const OLD_SQL = `
  SELECT relname AS table FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = 'dead_letters'::regclass AND relname < 'dead_letters_' || to_char(${TODAY} - $1::int, 'YYYYMMDD')`;

/** Manages the daily partitions (UTC) of `dead_letters`. Dropping a partition is fast, whatever its size. */
@Injectable()
export class DeadLetterDays {
  constructor(private readonly database: DataSource) {}

  /** Creates the partitions for today and the next days. Safe to call from several processes at once. */
  async prepare(): Promise<void> {
    await this.database.transaction((sql) => addDays(sql, 0, DAYS_AHEAD));
  }

  /** Drops the partitions that are too old. */
  async removeOld(): Promise<void> {
    const days = await this.database.query<{ table: string }[]>(OLD_SQL, [KEPT_DAYS]);
    for (const { table } of days) {
      await this.database.transaction(async (sql) => {
        await sql.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
        await sql.query(`DROP TABLE IF EXISTS "${table}"`);
      });
    }
  }
}

/** Adds the missing partitions. `from` and `to` count days from today. ATTACH does not block writers. */
export async function addDays(sql: Sql, from: number, to: number): Promise<void> {
  await sql.query(LOCK_SQL);
  const missing = await sql.query<{ name: string; first: string; end: string }[]>(MISSING_SQL, [from, to]);
  for (const { name, first, end } of missing) {
    const table = `dead_letters_${name}`;
    await sql.query(`CREATE TABLE ${table} (LIKE dead_letters INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await sql.query(`ALTER TABLE dead_letters ATTACH PARTITION ${table} FOR VALUES FROM ('${first}') TO ('${end}')`);
  }
}
