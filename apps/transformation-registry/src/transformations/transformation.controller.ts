import { Controller } from '@nestjs/common';
import {
  CreateTransformation,
  DeleteTransformation,
  GetSavedTests,
  GetTransformation,
  GetTransformationVersion,
  ListTransformations,
  ListTransformationVersions,
  notFound,
  type ReplyOf,
  type RequestOf,
  RollbackTransformation,
  SetSavedTests,
  UpdateTransformation,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { TRANSFORMATION } from '../revisions/artifact.js';
import { RevisionReader } from '../revisions/revision.reader.js';
import { requireFittingTests, SavedTestRepository } from '../revisions/saved-test.repository.js';
import { RollbackService } from './rollback.service.js';
import { TransformationService } from './transformation.service.js';

@Controller()
export class TransformationController {
  constructor(
    private readonly transformations: TransformationService,
    private readonly rollbacks: RollbackService,
    private readonly reader: RevisionReader,
  ) {}

  @Handles(CreateTransformation)
  create(request: RequestOf<typeof CreateTransformation>): Promise<ReplyOf<typeof CreateTransformation>> {
    return this.transformations.create(request);
  }

  @Handles(UpdateTransformation)
  update(request: RequestOf<typeof UpdateTransformation>): Promise<ReplyOf<typeof UpdateTransformation>> {
    return this.transformations.update(request);
  }

  @Handles(RollbackTransformation)
  rollback(request: RequestOf<typeof RollbackTransformation>): Promise<ReplyOf<typeof RollbackTransformation>> {
    return this.rollbacks.rollback(request);
  }

  @Handles(DeleteTransformation)
  async delete(request: RequestOf<typeof DeleteTransformation>): Promise<ReplyOf<typeof DeleteTransformation>> {
    await this.transformations.delete(request);
    return {};
  }

  @Handles(ListTransformations)
  async list(request: RequestOf<typeof ListTransformations>): Promise<ReplyOf<typeof ListTransformations>> {
    const { items: transformations, ...page } = await this.reader.list(TRANSFORMATION, request);
    return { transformations, ...page };
  }

  @Handles(GetTransformation)
  get(request: RequestOf<typeof GetTransformation>): Promise<ReplyOf<typeof GetTransformation>> {
    return this.reader.get(TRANSFORMATION, request);
  }

  @Handles(ListTransformationVersions)
  listVersions(
    request: RequestOf<typeof ListTransformationVersions>,
  ): Promise<ReplyOf<typeof ListTransformationVersions>> {
    return this.reader.listVersions(TRANSFORMATION, request);
  }

  @Handles(GetTransformationVersion)
  getVersion(request: RequestOf<typeof GetTransformationVersion>): Promise<ReplyOf<typeof GetTransformationVersion>> {
    return this.reader.getVersion(TRANSFORMATION, request);
  }
}

/** Tests that people keep with a transformation. */
@Controller()
export class SavedTestController {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly saved: SavedTestRepository,
  ) {}

  @Handles(GetSavedTests)
  async get({ workspaceId, id }: RequestOf<typeof GetSavedTests>): Promise<ReplyOf<typeof GetSavedTests>> {
    const scope = this.database.read(workspaceId);
    await this.requireKnown(scope, id);
    return this.saved.find(scope, id);
  }

  @Handles(SetSavedTests)
  set({ workspaceId, id, tests, by }: RequestOf<typeof SetSavedTests>): Promise<ReplyOf<typeof SetSavedTests>> {
    requireFittingTests(tests);
    return this.database.write(workspaceId, async (tx) => {
      await this.requireKnown(tx, id);
      await this.saved.put(tx, id, tests, by);
      return this.saved.find(tx, id);
    });
  }

  private async requireKnown(scope: Scope, id: string): Promise<void> {
    if (!(await this.saved.isKnown(scope, id))) throw notFound(TRANSFORMATION.type);
  }
}
