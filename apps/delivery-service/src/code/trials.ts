import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type DestinationRelease, ReportTrial, type RequestOf, RevertTrial, TRIAL_EVENTS } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { Periodic, RpcClient } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import type { UserOutcome } from '@weir/stages';
import { CredentialCache } from '@weir/stages';

/** Report interval. It bounds how long a failing revision stays live after it is counted. */
const REPORT_MS = 1_000;

type Trial = RequestOf<typeof ReportTrial>;

/**
 * Counts the first events of revisions on trial, and requests the rollback of a revision that failed. An event that is redelivered
 * after a restart counts again. Only errors in user code count, not sandbox failures or answers of destinations. Never delays a
 * delivery.
 */
@Injectable()
export class Trials implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Trials.name);
  private readonly deliverer = newKsuid();
  /** Keyed by revision id until the trial is over. */
  private readonly trials = new Map<string, Trial>();
  /** Revisions with unreported counts. */
  private readonly changed = new Set<string>();
  private readonly reports = new Periodic({
    task: 'report trials',
    everyMs: REPORT_MS,
    run: () => this.reportAll(),
    log: this.logger,
    runsAtStop: true,
  });

  constructor(
    private readonly rpc: RpcClient,
    private readonly credentials: CredentialCache,
    private readonly inventory: InventoryMirror,
  ) {}

  onApplicationBootstrap(): void {
    this.reports.start();
  }

  /** Reports the final counts. A rollback is left to the next deliverer that reports. */
  onModuleDestroy(): Promise<void> {
    return this.reports.stop();
  }

  /** Counts only the first {@link TRIAL_EVENTS} events. */
  count({ workspaceId, versionId }: DestinationRelease, outcomes: readonly UserOutcome[]): void {
    if (versionId === null) return;
    const trial = this.trials.get(versionId) ?? this.begin(workspaceId, versionId);
    const counted = outcomes.slice(0, TRIAL_EVENTS - trial.events);
    if (counted.length === 0) return;
    trial.events += counted.length;
    trial.errors += counted.filter(({ status }) => status === 'error').length;
    this.changed.add(versionId);
  }

  private begin(workspaceId: string, versionId: string): Trial {
    const trial = { workspaceId, versionId, deliverer: this.deliverer, events: 0, errors: 0 };
    this.trials.set(versionId, trial);
    return trial;
  }

  private async reportAll(): Promise<void> {
    const trials = [...this.changed].map((versionId) => this.trials.get(versionId));
    this.changed.clear();
    await Promise.all(trials.map((trial) => trial && this.report(trial)));
  }

  private async report(trial: Trial): Promise<void> {
    const { workspaceId, versionId } = trial;
    try {
      const { state } = await this.rpc.send(ReportTrial, { ...trial });
      if (state === 'running' || this.reports.isStopped) return;
      if (state === 'failed') await this.revert(workspaceId, versionId);
      this.trials.delete(versionId);
    } catch (error) {
      this.changed.add(versionId);
      this.logger.warn(`the trial of revision ${versionId} cannot be reported yet: ${(error as Error).message}`);
    }
  }

  /** The previous revision must pass the tests of a publish, so the call carries what code of the workspace may use. */
  private async revert(workspaceId: string, versionId: string): Promise<void> {
    const credentials = await this.credentials.of(workspaceId);
    const allowFetch = this.inventory.allowsFetch(workspaceId);
    await this.rpc.send(RevertTrial, { workspaceId, versionId, credentials, allowFetch });
  }
}
