/** The part of TypeORM's DataSource and EntityManager that this library needs. */
export interface Sql {
  query<T>(sql: string, parameters?: unknown[]): Promise<T>;
}

export interface Database extends Sql {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Rows per statement. Keeps locks short and stays below the statement timeout. */
const REMOVED_AT_ONCE = 5_000;

/**
 * Repeats a DELETE until it finds fewer rows than its limit. The last parameter of the statement is the LIMIT. Each piece is
 * committed alone, so an interrupted run keeps its progress.
 */
export async function deleteInPieces(sql: Sql, statement: string, values: readonly unknown[]): Promise<void> {
  for (;;) {
    const [, removed] = await sql.query<[unknown, number]>(statement, [...values, REMOVED_AT_ONCE]);
    if (removed < REMOVED_AT_ONCE) return;
  }
}
