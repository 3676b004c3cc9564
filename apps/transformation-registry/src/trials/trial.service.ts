import { Injectable } from '@nestjs/common';
import {
  type AutoRollback,
  type GetAutoRollback,
  notFound,
  type ReplyOf,
  type ReportTrial,
  type RequestOf,
  type SetAutoRollback,
  TRIAL_EVENTS,
  type Trial,
} from '@weir/contracts';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { DestinationReleaseService } from '../publishing/destination-release.service.js';
import { found } from '../revisions/revision.reader.js';
import {
  type Reports,
  STOPPED_BY_SETTING,
  type Tally,
  type TrialEntity,
  TrialRepository,
} from '../revisions/trial.repository.js';

/** Manages trials of new revisions and collects the results of their first events. */
@Injectable()
export class TrialService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly trials: TrialRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  get({ workspaceId, id }: RequestOf<typeof GetAutoRollback>): Promise<AutoRollback> {
    return this.shown(this.database.read(workspaceId), id);
  }

  async set({ workspaceId, id, errorRate }: RequestOf<typeof SetAutoRollback>): Promise<AutoRollback> {
    return this.database.write(workspaceId, async (tx) => {
      await this.trials.setErrorRate(tx, id, errorRate);
      if (errorRate === null) {
        await this.trials.stop(tx, id, STOPPED_BY_SETTING);
        await this.releases.refresh(tx);
      }
      return this.shown(tx, id);
    });
  }

  /** A verdict is final, so later reports are not counted. */
  async report(request: RequestOf<typeof ReportTrial>): Promise<ReplyOf<typeof ReportTrial>> {
    const { workspaceId, versionId, deliverer, events, errors } = request;
    return this.database.write(workspaceId, async (tx) => {
      const trial = found(await this.trials.find(tx, versionId), 'trial');
      if (trial.state !== 'running') return { state: trial.state };
      const reports = { ...trial.reports, [deliverer]: { events, errors } };
      const tally = sumOf(reports);
      await this.trials.count(tx, versionId, reports, tally);
      const state = verdictOf(tally, trial.errorRate);
      if (state !== 'running') await this.trials.decide(tx, versionId, state);
      if (state === 'passed') await this.releases.refresh(tx);
      return { state };
    });
  }

  private async shown(scope: Scope, id: string): Promise<AutoRollback> {
    const errorRate = await this.trials.errorRate(scope, id);
    if (errorRate === undefined) throw notFound('transformation');
    return { errorRate, trials: (await this.trials.list(scope, id)).map(viewOf) };
  }
}

const viewOf = (trial: TrialEntity): Trial => ({
  versionId: trial.versionId,
  ...(trial.previousVersionId !== null && { previousVersionId: trial.previousVersionId }),
  state: trial.state,
  errorRate: trial.errorRate,
  events: trial.events,
  errors: trial.errors,
  ...(trial.reason !== null && { reason: trial.reason }),
  startedAt: trial.startedAt.toISOString(),
  ...(trial.endedAt && { endedAt: trial.endedAt.toISOString() }),
});

export const sumOf = (reports: Reports): Tally =>
  Object.values(reports).reduce(
    (sum, { events, errors }) => ({
      events: sum.events + events,
      errors: sum.errors + errors,
    }),
    { events: 0, errors: 0 },
  );

/**
 * A revision fails when its errors reach `errorRate` of its first {@link TRIAL_EVENTS} events. It fails as soon as the remaining
 * events can no longer change that. Several deliverers may have run a few more events by then, and those count too.
 */
export function verdictOf({ events, errors }: Tally, errorRate: number): 'running' | 'passed' | 'failed' {
  if (errors / Math.max(events, TRIAL_EVENTS) >= errorRate) return 'failed';
  return events < TRIAL_EVENTS ? 'running' : 'passed';
}
