import { Controller } from '@nestjs/common';
import {
  GetAutoRollback,
  ListRollbacks,
  type ReplyOf,
  ReportTrial,
  type RequestOf,
  RevertTrial,
  SetAutoRollback,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { RollbackList } from './rollback-list.repository.js';
import { TrialService } from './trial.service.js';
import { TrialRevertService } from './trial-revert.service.js';

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
