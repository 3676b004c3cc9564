import { Injectable } from '@nestjs/common';
import { notFound, type ReplyOf, type RequestOf, RollbackTransformation } from '@weir/contracts';
import type { Scope } from '../database/workspace-database.js';
import { BESIDE_CODE, bounded } from '../gate/output-limits.js';
import { type Prepared, PublishGate } from '../gate/publish-gate.js';
import { Deadline } from '../gate/sandbox.client.js';
import { DestinationReleaseService } from '../publishing/destination-release.service.js';
import { namedCandidates } from '../publishing/named-candidates.js';
import { TRANSFORMATION } from '../revisions/artifact.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { found, objectOf } from '../revisions/revision.reader.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { requireMatch } from '../rules/entity-tag.js';

type Request = RequestOf<typeof RollbackTransformation>;

/**
 * Publishes an earlier revision. It must pass the tests again, because its imports resolve to the libraries that are live now.
 */
@Injectable()
export class RollbackService {
  constructor(
    private readonly gate: PublishGate,
    private readonly store: RevisionStore,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  async rollback(request: Request): Promise<ReplyOf<typeof RollbackTransformation>> {
    const { workspaceId, id, createdBy } = request;
    const { stored, output } = await this.gate.pass({
      workspaceId,
      deadline: Deadline.of(RollbackTransformation),
      prepare: (scope) => this.prepare(scope, request),
      apply: async (tx, { candidates }, tested) => {
        await this.pointers.publish(tx, candidates, tested, { by: createdBy, isRollback: true });
        await this.releases.refresh(tx);
        return found(await this.store.findLive(TRANSFORMATION, tx, id), TRANSFORMATION.type);
      },
    });
    return { ...objectOf(TRANSFORMATION, stored), validationOutput: bounded(output, BESIDE_CODE) };
  }

  private async prepare(scope: Scope, request: Request): Promise<Prepared> {
    const { id, versionId, ifMatch, samples } = request;
    const { type } = TRANSFORMATION;
    requireMatch(type, found(await this.store.findLatest(TRANSFORMATION, scope, id), type), ifMatch);
    const transformations = await this.store.named(TRANSFORMATION, scope, [versionId]);
    if (transformations.get(versionId)?.id !== id) throw notFound(`version ${versionId}`);
    const items = { transformations: [{ versionId, samples }], libraries: [] };
    const candidates = namedCandidates(items, { transformations, libraries: new Map() }, request);
    return { candidates: { ...candidates, runsSavedTests: false } };
  }
}
