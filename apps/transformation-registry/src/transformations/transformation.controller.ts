import { Controller } from '@nestjs/common';
import {
  CreateTransformation,
  DeleteTransformation,
  GetTransformation,
  GetTransformationVersion,
  ListTransformations,
  ListTransformationVersions,
  type ReplyOf,
  type RequestOf,
  RollbackTransformation,
  UpdateTransformation,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { RollbackService } from './rollback.service.js';
import { TransformationService } from './transformation.service.js';

@Controller()
export class TransformationController {
  constructor(
    private readonly transformations: TransformationService,
    private readonly rollbacks: RollbackService,
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

  @Handles(ListTransformations)
  list(request: RequestOf<typeof ListTransformations>): Promise<ReplyOf<typeof ListTransformations>> {
    return this.transformations.list(request);
  }

  @Handles(GetTransformation)
  get({ workspaceId, id }: RequestOf<typeof GetTransformation>): Promise<ReplyOf<typeof GetTransformation>> {
    return this.transformations.get(workspaceId, id);
  }

  @Handles(DeleteTransformation)
  async delete(request: RequestOf<typeof DeleteTransformation>): Promise<ReplyOf<typeof DeleteTransformation>> {
    await this.transformations.delete(request);
    return {};
  }

  @Handles(ListTransformationVersions)
  listVersions(
    request: RequestOf<typeof ListTransformationVersions>,
  ): Promise<ReplyOf<typeof ListTransformationVersions>> {
    return this.transformations.listVersions(request);
  }

  @Handles(GetTransformationVersion)
  getVersion(request: RequestOf<typeof GetTransformationVersion>): Promise<ReplyOf<typeof GetTransformationVersion>> {
    return this.transformations.getVersion(request);
  }
}
