/** A row of a page query. `matched` is the number of rows before the page was cut to size. */
export type PageRow<Row> = Row & { ID: number; matched: number };

export interface Page<Row> {
  rows: Row[];
  /** The ID to continue after. Missing on the last page. */
  next?: number;
}

export function pageOf<Row extends object>(found: readonly PageRow<Row>[]): Page<Row> {
  const last = found.at(-1);
  const rows = found.map(({ matched: _, ...row }) => row as unknown as Row);
  return last && last.matched > found.length ? { rows, next: last.ID } : { rows };
}

/**
 * Cuts the rows of `source` (ordered by id) where their bytes exceed $bytesMax or their number exceeds $rowsMax. The first row
 * always stays. `source` must select one row more than $rowsMax, so that `matched` tells whether there are more.
 */
export const pageSql = (columns: string, source: string, rowsMax: string, bytesMax: string) => `
  SELECT ${columns}, matched FROM (
    SELECT *, count(*) OVER ()::int AS matched, row_number() OVER (ORDER BY id) AS place,
      sum(octet_length(schema::text) + octet_length(to_json(label)::text) + 512) OVER (ORDER BY id) AS bytes
    FROM (${source}) AS source
  ) AS sized
  WHERE place <= ${rowsMax} AND (bytes <= ${bytesMax} OR place = 1)
  ORDER BY id`;
