import { Injectable, Logger } from '@nestjs/common';
import { isAppError, type ReplyOf, type RequestOf, RevertTrial, type ValidationOutput } from '@weir/contracts';
import { Metrics } from '@weir/service-kit';
import { type Scope, WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { type Prepared, PublishGate } from '../gate/publish-gate.js';
import { Deadline } from '../gate/sandbox.client.js';
import { DestinationReleaseService } from '../publishing/destination-release.service.js';
import { namedCandidates } from '../publishing/named-candidates.js';
import { TRANSFORMATION } from '../revisions/artifact.js';
import { NO_CANDIDATES } from '../revisions/nodes.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { found } from '../revisions/revision.reader.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { type TrialEntity, TrialRepository } from '../revisions/trial.repository.js';

type Request = RequestOf<typeof RevertTrial>;
type Ready = Prepared & { trial: TrialEntity };
type Outcome = 'rolledBack' | 'kept';

/** The state of the trial. `isNew` is true if this call decided it. */
interface Decision {
  trial: TrialEntity;
  isNew: boolean;
}

/** Author of a publish that no person made. */
const PUBLISHED_BY = 'automatic rollback';
const NO_EARLIER_VERSION = 'There is no earlier version';

/** Rolls back to the previous revision at most once, and never overrides a user's decision. */
@Injectable()
export class TrialRevertService {
  private readonly logger = new Logger('AutomaticRollback');
  private readonly failed;

  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly gate: PublishGate,
    private readonly store: RevisionStore,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
    private readonly trials: TrialRepository,
    metrics: Metrics,
  ) {
    this.failed = metrics.counter({
      name: 'registry_failed_versions_total',
      help: 'New revisions that failed on too many of their first events, by outcome: rolledBack or kept',
      labelNames: ['outcome'],
    });
  }

  /**
   * Rolls back a failed trial. A publish, a deletion and the setting stop trials, so a trial that is still `failed` in the
   * transaction belongs to the live revision.
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
        apply: (tx, ready, tested) => this.apply(tx, ready, tested),
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
    const earlierId = trial.previousVersionId;
    if (trial.state !== 'failed' || earlierId === null) return { trial, candidates: NO_CANDIDATES };
    const items = { transformations: [{ versionId: earlierId }], libraries: [] };
    const transformations = await this.store.named(TRANSFORMATION, scope, [earlierId]);
    const candidates = namedCandidates(items, { transformations, libraries: new Map() }, reach);
    return { trial, candidates: { ...candidates, runsSavedTests: false } };
  }

  private async apply(tx: WriteScope, { trial, candidates }: Ready, tested: ValidationOutput): Promise<Decision> {
    if (trial.state !== 'failed') return { trial, isNew: false };
    if (trial.previousVersionId === null) return this.decide(tx, trial, 'kept', NO_EARLIER_VERSION);
    const decided = await this.decide(tx, trial, 'rolledBack');
    await this.pointers.publish(tx, candidates, tested, { by: PUBLISHED_BY, isRollback: true });
    await this.releases.refresh(tx);
    return decided;
  }

  /** Keeps the revision, unless another call has decided the trial since the tests. */
  private async keep(tx: WriteScope, versionId: string, reason: string): Promise<Decision> {
    const trial = found(await this.trials.find(tx, versionId), 'trial');
    return trial.state === 'failed' ? this.decide(tx, trial, 'kept', reason) : { trial, isNew: false };
  }

  private async decide(
    tx: WriteScope,
    trial: TrialEntity,
    state: Outcome,
    reason: string | null = null,
  ): Promise<Decision> {
    await this.trials.decide(tx, trial.versionId, state, reason);
    if (state === 'kept') await this.releases.refresh(tx);
    return { trial: { ...trial, state, reason }, isNew: true };
  }

  /** Runs after the commit. */
  private tell({ state, reason, ...trial }: TrialEntity): void {
    const version = `version ${trial.versionId} of transformation ${trial.transformationId}`;
    const end = state === 'kept' ? `it is kept: ${reason}` : `version ${trial.previousVersionId} is live again`;
    this.logger.warn(`${version} failed on ${trial.errors} of its first ${trial.events} events; ${end}`);
    this.failed.inc({ outcome: state });
  }
}
