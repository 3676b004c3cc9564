import { Injectable } from '@nestjs/common';
import {
  type CodeReach,
  invalidField,
  type PublishItems,
  PublishRelease,
  type ReplyOf,
  type RequestOf,
  TestRelease,
} from '@weir/contracts';
import type { Scope } from '../database/workspace-database.js';
import { passed } from '../gate/judge.js';
import { type Prepared, PublishGate } from '../gate/publish-gate.js';
import { Deadline } from '../gate/sandbox.client.js';
import { LIBRARY, TRANSFORMATION } from '../revisions/artifact.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { DestinationReleaseService } from './destination-release.service.js';
import { namedCandidates } from './named-candidates.js';

/** Publishes revisions together, all or none (ruling 6). */
@Injectable()
export class PublishService {
  constructor(
    private readonly gate: PublishGate,
    private readonly store: RevisionStore,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  async publish(request: RequestOf<typeof PublishRelease>): Promise<ReplyOf<typeof PublishRelease>> {
    const { workspaceId, items, createdBy, commitId } = request;
    const { output } = await this.gate.pass({
      workspaceId,
      deadline: Deadline.of(PublishRelease),
      prepare: (scope) => this.prepare(scope, items, request),
      apply: async (tx, { candidates }, tested) => {
        await this.pointers.publish(tx, candidates, tested, { by: createdBy, commitId });
        await this.releases.refresh(tx);
      },
    });
    return { published: true, validationOutput: output };
  }

  async test(request: RequestOf<typeof TestRelease>): Promise<ReplyOf<typeof TestRelease>> {
    const { workspaceId, items } = request;
    const deadline = Deadline.of(TestRelease);
    const { output, message } = await this.gate.test({
      workspaceId,
      deadline,
      prepare: (scope) => this.prepare(scope, items, request),
    });
    return { pass: passed(output), message, validationOutput: output };
  }

  private async prepare(scope: Scope, items: PublishItems, reach: CodeReach): Promise<Prepared> {
    if (items.transformations.length + items.libraries.length === 0) {
      throw invalidField('transformations', 'or libraries must name at least one versionId');
    }
    const revisions = {
      transformations: await this.store.named(TRANSFORMATION, scope, versionIdsOf(items.transformations)),
      libraries: await this.store.named(LIBRARY, scope, versionIdsOf(items.libraries)),
    };
    return { candidates: namedCandidates(items, revisions, reach) };
  }
}

const versionIdsOf = (items: readonly { versionId: string }[]) => items.map(({ versionId }) => versionId);
