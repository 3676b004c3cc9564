import type { Sql } from '@weir/messaging';

/** Workspaces that have an audit trail or should have one. */
export async function auditedWorkspaces(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(
    'SELECT workspace_id AS id FROM audit UNION SELECT workspace_id FROM regulations',
  );
  return rows.map(({ id }) => id);
}

/** Number of regulations whose creation or cancellation has no audit entry. */
export async function unauditedRegulations(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM regulations AS regulation
     WHERE workspace_id = $1 AND (
       NOT EXISTS (${ENTRY} 'regulation.created')
       OR canceled_at IS NOT NULL AND NOT EXISTS (${ENTRY} 'regulation.canceled'))`,
    [workspaceId],
  );
  return row?.count ?? 0;
}

const ENTRY = `SELECT FROM audit
  WHERE audit.regulation_id = regulation.id AND audit.workspace_id = regulation.workspace_id AND audit.action =`;
