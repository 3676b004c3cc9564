import { Injectable } from '@nestjs/common';
import { notFound, type ReplyOf, type RequestOf, RollbackTransformation } from '@weir/contracts';
import type { Scope } from '../database/workspace-database.js';
import { Deadline } from '../gate/deadline.js';
import { PointerRepository } from '../gate/pointer.repository.js';
import { type Prepared, ReleaseGate } from '../gate/release-gate.js';
import { DestinationReleaseService } from '../releases/destination-release.service.js';
import { namedCandidates } from '../releases/named-candidates.js';
import { RevisionRepository } from '../releases/revision.repository.js';
import { requireMatch } from '../rules/entity-tag.js';
import { TransformationRepository } from './transformation.repository.js';
import { taggedTransformationOf } from './transformation.view.js';

type Request = RequestOf<typeof RollbackTransformation>;

/** Publishes what was there before. What it imports is what is live now, so it has to pass the tests again. */
@Injectable()
export class RollbackService {
  constructor(
    private readonly gate: ReleaseGate,
    private readonly transformations: TransformationRepository,
    private readonly revisions: RevisionRepository,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  async rollback(request: Request): Promise<ReplyOf<typeof RollbackTransformation>> {
    const { workspaceId, id, createdBy } = request;
    const { stored, output } = await this.gate.pass({
      workspaceId,
      deadline: Deadline.of(RollbackTransformation),
      prepare: (scope) => this.prepare(scope, request),
      apply: async (tx, { candidates }) => {
        await this.pointers.publish(tx, candidates, createdBy);
        await this.releases.refresh(tx);
        const live = await this.transformations.findPublished(tx, id);
        if (!live) throw notFound('transformation');
        return taggedTransformationOf(live);
      },
    });
    return { ...stored, validationOutput: output };
  }

  private async prepare(scope: Scope, { id, versionId, ifMatch, credentials }: Request): Promise<Prepared> {
    const latest = await this.transformations.findLatest(scope, id);
    if (!latest) throw notFound('transformation');
    requireMatch(latest, ifMatch);
    const transformations = await this.revisions.transformations(scope, [versionId]);
    if (transformations.get(versionId)?.id !== id) throw notFound('version');
    const items = { transformations: [{ versionId }], libraries: [] };
    return { candidates: namedCandidates(items, { transformations, libraries: new Map() }, credentials) };
  }
}
