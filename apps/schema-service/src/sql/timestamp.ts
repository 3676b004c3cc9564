/** RFC 3339 in UTC with microseconds; a Date of JavaScript would lose them. Sorts as text. */
export const timestampSql = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
