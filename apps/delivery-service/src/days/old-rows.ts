import { inPieces, type Sql } from '@weir/messaging';

/**
 * Removes rows that match a condition, in pieces: a table that was not cleaned for long has more than one statement can remove. Rows
 * that others change meanwhile stay until the next round.
 *
 * @param values the parameters of the condition
 */
export function removeRows(sql: Sql, table: string, condition: string, values: readonly unknown[] = []): Promise<void> {
  const found = `SELECT ctid FROM ${table} WHERE ${condition} LIMIT $${values.length + 1} FOR UPDATE SKIP LOCKED`;
  return inPieces(sql, `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${found}))`, values);
}
