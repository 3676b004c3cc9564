import { Controller, Injectable } from '@nestjs/common';
import {
  GetAutoRollback,
  ListRollbacks,
  type ReplyOf,
  ReportTrial,
  type RequestOf,
  RevertTrial,
  SetAutoRollback,
  TROUBLE_HOURS,
  TROUBLE_ROWS_EACH,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { TrialService } from './trial.service.js';
import { TrialRevertService } from './trial-revert.service.js';

/** Automatic rollbacks of several workspaces. Notifications report them. */
@Injectable()
export class RollbackList {
  constructor(private readonly database: Database) {}

  /** The latest of each transformation in the last day, with the name of the version that was rolled back. */
  async recent(workspaceIds: string[]): Promise<ReplyOf<typeof ListRollbacks>['rollbacks']> {
    const { rows } = await this.database.run<{ workspace_id: string; id: string; name: string; at: Date }>(
      `SELECT workspace_id, id, name, at FROM (
         SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY at DESC) AS place FROM (
           SELECT DISTINCT ON (workspace_id, transformation_id)
             workspace_id, transformation_id AS id, revision.name, trial.ended_at AS at
           FROM version_trials AS trial
           JOIN transformation_revisions AS revision USING (workspace_id, transformation_id, version_id)
           WHERE workspace_id = ANY($1) AND trial.state = 'rolledBack'
             AND trial.ended_at > now() - interval '${TROUBLE_HOURS} hours'
           ORDER BY workspace_id, transformation_id, trial.ended_at DESC
         ) AS latest
       ) AS placed WHERE place <= $2`,
      [workspaceIds, TROUBLE_ROWS_EACH],
    );
    return rows.map(({ workspace_id: workspaceId, id: transformationId, name, at }) => ({
      ...{ workspaceId, transformationId, name, at: at.toISOString() },
    }));
  }
}

/** Automatic rollback: its setting, reports of deliverers, and the rollback itself. */
@Controller()
export class TrialController {
  constructor(
    private readonly trials: TrialService,
    private readonly reverts: TrialRevertService,
    private readonly rollbackList: RollbackList,
  ) {}

  @Handles(GetAutoRollback)
  get(request: RequestOf<typeof GetAutoRollback>): Promise<ReplyOf<typeof GetAutoRollback>> {
    return this.trials.get(request);
  }

  @Handles(SetAutoRollback)
  set(request: RequestOf<typeof SetAutoRollback>): Promise<ReplyOf<typeof SetAutoRollback>> {
    return this.trials.set(request);
  }

  @Handles(ReportTrial)
  report(request: RequestOf<typeof ReportTrial>): Promise<ReplyOf<typeof ReportTrial>> {
    return this.trials.report(request);
  }

  @Handles(RevertTrial)
  revert(request: RequestOf<typeof RevertTrial>): Promise<ReplyOf<typeof RevertTrial>> {
    return this.reverts.revert(request);
  }

  @Handles(ListRollbacks)
  async rollbacks({ workspaceIds }: RequestOf<typeof ListRollbacks>): Promise<ReplyOf<typeof ListRollbacks>> {
    return { rollbacks: await this.rollbackList.recent(workspaceIds) };
  }
}
