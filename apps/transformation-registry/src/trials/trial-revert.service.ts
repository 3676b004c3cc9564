import { Injectable, Logger } from '@nestjs/common';
import { isAppError, type ReplyOf, type RequestOf, RevertTrial } from '@weir/contracts';
import { type Scope, WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { Deadline } from '../gate/deadline.js';
import { NO_CANDIDATES } from '../gate/nodes.js';
import { PointerRepository } from '../gate/pointer.repository.js';
import { type Prepared, ReleaseGate } from '../gate/release-gate.js';
import { DestinationReleaseService } from '../releases/destination-release.service.js';
import { namedCandidates } from '../releases/named-candidates.js';
import { found } from '../revisions/revision.reader.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { TRANSFORMATION } from '../transformations/transformation.kind.js';
import { TrialMetrics } from './trial.metrics.js';
import { TrialRepository, type TrialRow } from './trial.repository.js';

type Request = RequestOf<typeof RevertTrial>;
type Ready = Prepared & { trial: TrialRow };
type Outcome = 'rolledBack' | 'kept';

/** The state of the trial. `isNew` is true if this call decided it. */
interface Decision {
  trial: TrialRow;
  isNew: boolean;
}

/** Author of a publish that no person made. */
const PUBLISHED_BY = 'automatic rollback';
const NO_EARLIER_VERSION = 'There is no earlier version';

/** Rolls back to the previous version at most once, and never overrides a user's decision. */
@Injectable()
export class TrialRevertService {
  private readonly logger = new Logger('AutomaticRollback');

  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly gate: ReleaseGate,
    private readonly store: RevisionStore,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
    private readonly trials: TrialRepository,
    private readonly metrics: TrialMetrics,
  ) {}

  /**
   * Rolls back a failed trial. A publish, a deletion and the setting stop trials, so a trial that is still `failed` in the
   * transaction belongs to the live version.
   */
  async revert(request: Request): Promise<ReplyOf<typeof RevertTrial>> {
    const decision = await this.decided(request);
    if (decision.isNew) this.tell(decision.trial);
    return { state: decision.trial.state };
  }

  private async decided(request: Request): Promise<Decision> {
    try {
      const { stored } = await this.gate.pass({
        workspaceId: request.workspaceId,
        deadline: Deadline.of(RevertTrial),
        prepare: (scope) => this.prepare(scope, request),
        apply: (tx, ready) => this.apply(tx, ready),
      });
      return stored;
    } catch (error) {
      if (!isAppError(error) || error.code !== 'tests_failed') throw error;
      const reason = `The earlier version no longer passes the tests: ${error.message}`;
      return this.database.write(request.workspaceId, (tx) => this.keep(tx, request.versionId, reason));
    }
  }

  private async prepare(scope: Scope, { versionId, ...reach }: Request): Promise<Ready> {
    const trial = found(await this.trials.find(scope, versionId), 'trial');
    const earlierId = trial.previous_version_id;
    if (trial.state !== 'failed' || earlierId === null) return { trial, candidates: NO_CANDIDATES };
    const items = { transformations: [{ versionId: earlierId }], libraries: [] };
    const transformations = await this.store.named(TRANSFORMATION, scope, [earlierId]);
    return { trial, candidates: namedCandidates(items, { transformations, libraries: new Map() }, reach) };
  }

  private async apply(tx: WriteScope, { trial, candidates }: Ready): Promise<Decision> {
    if (trial.state !== 'failed') return { trial, isNew: false };
    if (trial.previous_version_id === null) return this.decide(tx, trial, 'kept', NO_EARLIER_VERSION);
    const decided = await this.decide(tx, trial, 'rolledBack');
    await this.pointers.publish(tx, candidates, { by: PUBLISHED_BY });
    await this.releases.refresh(tx);
    return decided;
  }

  /** Keeps the version, unless another call has decided the trial since the tests. */
  private async keep(tx: WriteScope, versionId: string, reason: string): Promise<Decision> {
    const trial = found(await this.trials.find(tx, versionId), 'trial');
    return trial.state === 'failed' ? this.decide(tx, trial, 'kept', reason) : { trial, isNew: false };
  }

  private async decide(
    tx: WriteScope,
    trial: TrialRow,
    state: Outcome,
    reason: string | null = null,
  ): Promise<Decision> {
    await this.trials.decide(tx, trial.version_id, state, reason);
    if (state === 'kept') await this.releases.refresh(tx);
    return { trial: { ...trial, state, reason }, isNew: true };
  }

  /** Runs after the commit. */
  private tell({ state, reason, ...trial }: TrialRow): void {
    const version = `version ${trial.version_id} of transformation ${trial.transformation_id}`;
    const end = state === 'kept' ? `it is kept: ${reason}` : `version ${trial.previous_version_id} is live again`;
    this.logger.warn(`${version} failed on ${trial.errors} of its first ${trial.events} events; ${end}`);
    this.metrics.count(state as Outcome);
  }
}
