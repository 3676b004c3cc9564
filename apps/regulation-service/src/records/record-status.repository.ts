import type { Sql } from '@weir/messaging';
import type { TaskStatus } from '../deletion/overall-status.js';

/** Tasks by regulation. Regulations without tasks are missing. */
export async function taskStatusesOf(
  sql: Sql,
  workspaceId: string,
  regulationIds: readonly string[],
): Promise<Map<string, TaskStatus[]>> {
  const rows = await sql.query<{ id: string; tasks: TaskStatus[] }[]>(
    `SELECT regulation_id AS id, jsonb_agg(jsonb_build_object('destinationId', destination_id, 'status', status)) AS tasks
     FROM deletion_tasks WHERE workspace_id = $1 AND regulation_id = ANY($2::uuid[]) GROUP BY regulation_id`,
    [workspaceId, regulationIds],
  );
  return new Map(rows.map(({ id, tasks }) => [id, tasks]));
}
