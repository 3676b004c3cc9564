import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  type CodeReach,
  invalidField,
  type PublishItems,
  PublishRelease,
  type ReplyOf,
  type RequestOf,
  type TestCase,
  TestRelease,
} from '@weir/contracts';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { passed } from '../gate/judge.js';
import { type Prepared, PublishGate } from '../gate/publish-gate.js';
import { Deadline } from '../gate/sandbox.client.js';
import { type Artifact, LIBRARY, type Shape, TRANSFORMATION } from '../revisions/artifact.js';
import type { CodeNode } from '../revisions/nodes.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { requireFittingTests, SavedTestRepository } from '../revisions/saved-test.repository.js';
import { requireMatch } from '../rules/entity-tag.js';
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
    private readonly savedTests: SavedTestRepository,
  ) {}

  async publish(request: RequestOf<typeof PublishRelease>): Promise<ReplyOf<typeof PublishRelease>> {
    const { workspaceId, items, createdBy, commitId } = request;
    const { output } = await this.gate.pass({
      workspaceId,
      deadline: Deadline.of(PublishRelease),
      prepare: async (scope) => {
        const prepared = await this.prepare(scope, items, request);
        for (const tests of prepared.candidates.testsToSave.values()) requireFittingTests(tests);
        const { transformations, libraries } = prepared.candidates;
        await this.requireMatches(TRANSFORMATION, scope, transformations, items.transformations);
        await this.requireMatches(LIBRARY, scope, libraries, items.libraries);
        return prepared;
      },
      apply: async (tx, { candidates }, tested) => {
        await this.pointers.publish(tx, candidates, tested, { by: createdBy, commitId });
        for (const { id, versionId } of candidates.transformations) {
          const tests = candidates.testsToSave.get(versionId);
          if (tests) await this.saveTests(tx, id, tests, createdBy);
        }
        await this.releases.refresh(tx);
      },
    });
    return { published: true, validationOutput: output };
  }

  /** Tests that are saved already keep their time and author. */
  private async saveTests(tx: WriteScope, id: string, tests: TestCase[], by: string): Promise<void> {
    const { tests: saved } = await this.savedTests.find(tx, id);
    if (!isDeepStrictEqual(tests, saved)) await this.savedTests.put(tx, id, tests, by);
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

  /** Refuses an item whose object is not in the state that the caller knows. */
  private async requireMatches<S extends Shape>(
    artifact: Artifact<S>,
    scope: Scope,
    nodes: readonly CodeNode[],
    items: readonly { versionId: string; ifMatch?: readonly string[] | undefined }[],
  ): Promise<void> {
    for (const { versionId, ifMatch } of items) {
      const node = nodes.find((one) => one.versionId === versionId);
      if (ifMatch === undefined || !node) continue;
      requireMatch(artifact.type, await this.store.findLatest(artifact, scope, node.id), ifMatch);
    }
  }
}

const versionIdsOf = (items: readonly { versionId: string }[]) => items.map(({ versionId }) => versionId);
