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
import { TRANSFORMATION } from '../revisions/artifact.js';
import { RevisionReader } from '../revisions/revision.reader.js';
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
