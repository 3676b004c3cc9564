import { Injectable } from '@nestjs/common';
import {
  invalidField,
  PublishRelease,
  type ReleaseItems,
  type ReplyOf,
  type RequestOf,
  TestRelease,
  type UserCredential,
} from '@weir/contracts';
import type { Scope } from '../database/workspace-database.js';
import { Deadline } from '../gate/deadline.js';
import { PointerRepository } from '../gate/pointer.repository.js';
import { type Prepared, ReleaseGate } from '../gate/release-gate.js';
import { passed } from '../gate/validation-output.js';
import { DestinationReleaseService } from './destination-release.service.js';
import { namedCandidates } from './named-candidates.js';
import { RevisionRepository } from './revision.repository.js';

/** Revisions that go live together, all or none (ruling 6). */
@Injectable()
export class ReleaseService {
  constructor(
    private readonly gate: ReleaseGate,
    private readonly revisions: RevisionRepository,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  async publish(request: RequestOf<typeof PublishRelease>): Promise<ReplyOf<typeof PublishRelease>> {
    const { workspaceId, items, createdBy, credentials } = request;
    const { output } = await this.gate.pass({
      workspaceId,
      deadline: Deadline.of(PublishRelease),
      prepare: (scope) => this.prepare(scope, items, credentials),
      apply: async (tx, { candidates }) => {
        await this.pointers.publish(tx, candidates, createdBy);
        await this.releases.refresh(tx);
      },
    });
    return { published: true, validationOutput: output };
  }

  async test({ workspaceId, items, credentials }: RequestOf<typeof TestRelease>): Promise<ReplyOf<typeof TestRelease>> {
    const deadline = Deadline.of(TestRelease);
    const { output, message } = await this.gate.test({
      workspaceId,
      deadline,
      prepare: (scope) => this.prepare(scope, items, credentials),
    });
    return { pass: passed(output), message, validationOutput: output };
  }

  private async prepare(
    scope: Scope,
    items: ReleaseItems,
    credentials: UserCredential[] | undefined,
  ): Promise<Prepared> {
    if (items.transformations.length + items.libraries.length === 0) {
      throw invalidField('transformations', 'or libraries must name at least one versionId');
    }
    const [transformations, libraries] = [items.transformations, items.libraries].map((named) =>
      named.map(({ versionId }) => versionId),
    );
    const revisions = {
      transformations: await this.revisions.transformations(scope, transformations ?? []),
      libraries: await this.revisions.libraries(scope, libraries ?? []),
    };
    return { candidates: namedCandidates(items, revisions, credentials) };
  }
}
