import type { Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';

/** The tables with one partition per day. */
type DayTable = 'dead_letters' | 'traces';

/** Keeps partitions ready for a week, in case no deliverer runs for a while. */
const DAYS_AHEAD = 7;
/** A session that waits for the table lock blocks everyone behind it, so the drop gives up early and retries an hour later. */
const LOCK_WAIT = '2s';

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
/** Only one process at a time creates partitions of a table. */
const LOCK_SQL = 'SELECT pg_advisory_xact_lock(hashtext($1), hashtext(current_schema()))';
const MISSING_SQL = `
  SELECT to_char(day, 'YYYYMMDD') AS name, day::text AS first, (day + 1)::text AS end
  FROM (SELECT ${TODAY} + n AS day FROM generate_series($1::int, $2::int) AS n) AS days
  WHERE to_regclass($3 || '_' || to_char(day, 'YYYYMMDD')) IS NULL`;
const OLD_SQL = `
  SELECT relname AS table FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = $2::text::regclass AND relname < $2 || '_' || to_char(${TODAY} - $1::int, 'YYYYMMDD')`;
const PARTITIONS_SQL = `
  SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = $1::text::regclass ORDER BY relname`;

/** Manages the daily partitions (UTC) of a table. Dropping a partition is fast, whatever its size. */
export abstract class DayPartitions {
  protected constructor(
    private readonly database: Database,
    private readonly table: DayTable,
    private readonly keptDays: number,
  ) {}

  /** Creates the partitions for today and the next days. Safe to call from several processes at once. */
  async prepare(): Promise<void> {
    await this.database.transaction((sql) => addDays(sql, this.table, 0, DAYS_AHEAD));
  }

  /** Drops the partitions that are too old. */
  async removeOld(): Promise<void> {
    const { rows: days } = await this.database.run<{ table: string }>(OLD_SQL, [this.keptDays, this.table]);
    for (const { table } of days) {
      await this.database.transaction(async (sql) => {
        await sql.run(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
        await sql.run(`DROP TABLE IF EXISTS "${table}"`);
      });
    }
  }
}

/** Adds the missing partitions. `from` and `to` count days from today. ATTACH does not block writers. */
export async function addDays(sql: Sql, parent: DayTable, from: number, to: number): Promise<void> {
  await sql.run(LOCK_SQL, [parent]);
  const { rows: missing } = await sql.run<{ name: string; first: string; end: string }>(MISSING_SQL, [
    from,
    to,
    parent,
  ]);
  for (const { name, first, end } of missing) {
    const table = `${parent}_${name}`;
    await sql.run(`CREATE TABLE ${table} (LIKE ${parent} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await sql.run(`ALTER TABLE ${parent} ATTACH PARTITION ${table} FOR VALUES FROM ('${first}') TO ('${end}')`);
  }
}

/**
 * The days (UTC) of a table that may have rows of this range of times, oldest first. PostgreSQL itself prunes by `day` alone. The names
 * become dates here, because PostgreSQL may apply a condition on them to every relation before it joins.
 */
export async function daysOf(
  sql: Sql,
  table: DayTable,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<string[]> {
  const { rows } = await sql.run<{ name: string }>(PARTITIONS_SQL, [table]);
  const days = rows.map(({ name }) => name.slice(-8).replace(/(.{4})(..)(..)/, '$1-$2-$3'));
  const [first, last] = [from && dayOf(from), to && dayOf(to)];
  return days.filter((day) => (!first || day >= first) && (!last || day <= last));
}

const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10);
