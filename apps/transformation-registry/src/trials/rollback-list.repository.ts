import { Injectable } from '@nestjs/common';
import { type ListRollbacks, type ReplyOf, TROUBLE_HOURS, TROUBLE_ROWS_EACH } from '@weir/contracts';
import { Database } from '@weir/service-kit';

/** Automatic rollbacks of several workspaces, for whoever tells people. */
@Injectable()
export class RollbackList {
  constructor(private readonly database: Database) {}

  /** The latest of each transformation in the last day. */
  async recent(workspaceIds: string[]): Promise<ReplyOf<typeof ListRollbacks>['rollbacks']> {
    const { rows } = await this.database.run<{ workspace_id: string; id: string; name: string; at: Date }>(
      `SELECT workspace_id, id, name, at FROM (
         SELECT trial.workspace_id, code.id, code.name, max(trial.ended_at) AS at,
           row_number() OVER (PARTITION BY trial.workspace_id ORDER BY max(trial.ended_at) DESC) AS place
         FROM version_trials AS trial
         JOIN transformations AS code ON code.workspace_id = trial.workspace_id AND code.id = trial.transformation_id
         WHERE trial.workspace_id = ANY($1) AND trial.state = 'rolledBack'
           AND trial.ended_at > now() - interval '${TROUBLE_HOURS} hours'
         GROUP BY trial.workspace_id, code.id, code.name
       ) AS latest WHERE place <= $2`,
      [workspaceIds, TROUBLE_ROWS_EACH],
    );
    return rows.map(({ workspace_id: workspaceId, id: transformationId, name, at }) => ({
      ...{ workspaceId, transformationId, name, at: at.toISOString() },
    }));
  }
}
