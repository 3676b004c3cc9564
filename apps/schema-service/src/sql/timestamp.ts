/** RFC 3339 in UTC with microseconds, which a JavaScript Date would lose. Sorts as text. */
export const timestampSql = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
