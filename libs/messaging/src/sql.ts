/** The answer to one statement: the rows that it returned, and how many rows it changed or read. */
export interface Rows<Row> {
  rows: Row[];
  count: number;
}

/** The part of a database that this library needs. `Database` and `Transaction` of service-kit provide it. */
export interface Sql {
  run<Row>(sql: string, parameters?: unknown[]): Promise<Rows<Row>>;
}

export interface SqlDatabase extends Sql {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Rows per statement. Keeps locks short and stays below the statement timeout. */
const CHANGED_AT_ONCE = 5_000;

/**
 * Repeats a DELETE or an UPDATE until it changes fewer rows than its limit. The last parameter of the statement is the LIMIT. Each piece is
 * committed alone, so an interrupted run keeps its progress. If no row may be left, the statement selects its rows FOR UPDATE: rows
 * that others change meanwhile would otherwise make a piece look like the last one.
 */
export async function inPieces(sql: Sql, statement: string, values: readonly unknown[]): Promise<void> {
  for (;;) {
    const { count } = await sql.run(statement, [...values, CHANGED_AT_ONCE]);
    if (count < CHANGED_AT_ONCE) return;
  }
}

/**
 * Removes rows that match a condition, in pieces: a table that was not cleaned for long has more than one statement can remove. Rows
 * that others change meanwhile stay until the next round. The table must not be partitioned.
 *
 * @param values the parameters of the condition
 */
export function removeRows(sql: Sql, table: string, condition: string, values: readonly unknown[] = []): Promise<void> {
  const found = `SELECT ctid FROM ${table} WHERE ${condition} LIMIT $${values.length + 1} FOR UPDATE SKIP LOCKED`;
  return inPieces(sql, `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${found}))`, values);
}

/** PostgreSQL is unreachable, shutting down or full: classes 08, 53, 57P, network errors, and a statement that timed out. */
const CODES = /^(08...|53...|57P0.|57014|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/**
 * Messages of pg-pool, pg and TypeORM without a code. The second also occurs when all connections stay in use. The last is of a
 * transaction whose connection ended between two statements.
 */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Query runner already released)/;

/** Whether the error is a temporary failure of the database or the network, and not the fault of a query. Worth a retry. */
export function isDatabaseAway(error: unknown): boolean {
  const cause = driverErrorOf(error);
  return cause !== undefined && (CODES.test(sqlStateOf(cause) ?? '') || MESSAGES.test(cause.message));
}

/** The conditions of PostgreSQL that callers tell apart. */
export const SQL_STATE = {
  UNIQUE_VIOLATION: '23505',
  /** No partition accepts the row. A failed CHECK has the same code. */
  NO_PARTITION: '23514',
  DEADLOCK: '40P01',
  /** The statement took longer than its time limit. */
  QUERY_CANCELED: '57014',
} as const;

/** The SQLSTATE of a failed statement, or the code of a network error. Undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  const code: unknown = Reflect.get(driverErrorOf(error) ?? {}, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** The error of pg, which TypeORM wraps in one of its own. */
function driverErrorOf(error: unknown): Error | undefined {
  const cause: unknown = error instanceof Error ? (Reflect.get(error, 'driverError') ?? error) : undefined;
  return cause instanceof Error ? cause : undefined;
}
