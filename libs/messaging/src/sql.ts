/** The part of TypeORM's DataSource and EntityManager that this library needs. */
export interface Sql {
  query<T>(sql: string, parameters?: unknown[]): Promise<T>;
}

export interface Database extends Sql {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Rows that one statement removes: none holds locks for long, or meets the time that a statement has. */
const REMOVED_AT_ONCE = 5_000;

/**
 * Repeats a DELETE until nothing is left of what it means, however much that is. Its last parameter is the LIMIT; every
 * piece is committed alone, so one that is cut short has come further.
 */
export async function deleteInPieces(sql: Sql, statement: string, values: readonly unknown[]): Promise<void> {
  for (;;) {
    const [, removed] = await sql.query<[unknown, number]>(statement, [...values, REMOVED_AT_ONCE]);
    if (removed < REMOVED_AT_ONCE) return;
  }
}
