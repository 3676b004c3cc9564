import { Injectable } from '@nestjs/common';
import { DELETION_PROMISE_HOURS, type ListOverdueDeletions, type ReplyOf, TROUBLE_ROWS_EACH } from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { INTERNAL } from './task.rules.js';

/** Deletions that take longer than Weir promises, for whoever tells people. */
@Injectable()
export class OverdueDeletions {
  constructor(private readonly database: Database) {}

  /** Lists them by destination. A forwarded deletion is in the vendor's hands, and its time is the vendor's. */
  async list(workspaceIds: string[]): Promise<ReplyOf<typeof ListOverdueDeletions>['overdue']> {
    const { rows } = await this.database.run<{ workspace_id: string; destination_id: string; count: number }>(
      `SELECT workspace_id, destination_id, count FROM (
         SELECT workspace_id, destination_id, count(*)::int AS count,
           row_number() OVER (PARTITION BY workspace_id ORDER BY min(id)) AS place
         FROM deletion_tasks
         WHERE (due_at IS NOT NULL OR status = 'pending') AND status <> 'forwarded' AND workspace_id = ANY($1)
           AND destination_type <> $3 AND created_at < now() - interval '${DELETION_PROMISE_HOURS} hours'
         GROUP BY workspace_id, destination_id
       ) AS overdue WHERE place <= $2`,
      [workspaceIds, TROUBLE_ROWS_EACH, INTERNAL],
    );
    return rows.map(({ workspace_id: workspaceId, destination_id: destinationId, count }) => ({
      ...{ workspaceId, destinationId, count },
    }));
  }
}
