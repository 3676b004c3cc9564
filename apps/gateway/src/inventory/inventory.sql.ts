import { AppError, INVENTORY_PAGE_SIZE } from '@weir/contracts';
import type { Sql } from '@weir/messaging';

export type InventoryTable = 'sources' | 'destinations' | 'connections';

/** Most objects of one kind per workspace. Every gateway and deliverer holds the whole inventory in memory. */
export const OBJECTS_MAX = 10_000;

export interface PageQuery {
  page: number;
  hasExternalId?: boolean | undefined;
}

/** One page in order of creation, and the total number of rows. */
export async function selectPage<Row>(
  sql: Sql,
  workspaceId: string,
  { table, columns }: { table: InventoryTable; columns: string },
  { page, hasExternalId }: PageQuery,
): Promise<{ rows: Row[]; total: number }> {
  const filter = hasExternalId === undefined ? '' : `AND external_id IS ${hasExternalId ? 'NOT NULL' : 'NULL'}`;
  const where = `FROM ${table} WHERE workspace_id = $1 ${filter}`;
  const [rows, [count]] = await Promise.all([
    sql.query<Row[]>(`SELECT ${columns} ${where} ORDER BY created_at, id LIMIT ${INVENTORY_PAGE_SIZE} OFFSET $2`, [
      workspaceId,
      (page - 1) * INVENTORY_PAGE_SIZE,
    ]),
    sql.query<[{ total: number }]>(`SELECT count(*)::int AS total ${where}`, [workspaceId]),
  ]);
  return { rows, total: count.total };
}

export async function refuseWhenFull(sql: Sql, workspaceId: string, table: InventoryTable): Promise<void> {
  const [{ total }] = await sql.query<[{ total: number }]>(
    `SELECT count(*)::int AS total FROM ${table} WHERE workspace_id = $1`,
    [workspaceId],
  );
  if (total >= OBJECTS_MAX) throw new AppError('conflict', `A workspace has at most ${OBJECTS_MAX} ${table}`);
}
