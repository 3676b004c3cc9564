import { Controller } from '@nestjs/common';
import {
  FindModelOwner,
  GetKeyCounts,
  GetMissingKeys,
  GetModelMetadata,
  GetVersionMetadata,
  ListModels,
  ListVersions,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { ModelsService } from './models.service.js';

@Controller()
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Handles(ListModels)
  async listModels(request: RequestOf<typeof ListModels>): Promise<ReplyOf<typeof ListModels>> {
    const { rows: models, ...next } = await this.models.listModels(request);
    return { models, workspaceId: request.workspaceId, ...next };
  }

  @Handles(FindModelOwner)
  async owner(request: RequestOf<typeof FindModelOwner>): Promise<ReplyOf<typeof FindModelOwner>> {
    return { workspaceId: await this.models.owner(request) };
  }

  @Handles(ListVersions)
  async listVersions({ eventId, after, limit }: RequestOf<typeof ListVersions>): Promise<ReplyOf<typeof ListVersions>> {
    const { rows: versions, ...next } = await this.models.listVersions(eventId, after, limit);
    return { versions, ...next };
  }

  @Handles(GetModelMetadata)
  modelMetadata({ eventId }: RequestOf<typeof GetModelMetadata>): Promise<ReplyOf<typeof GetModelMetadata>> {
    return this.models.modelMetadata(eventId);
  }

  @Handles(GetVersionMetadata)
  versionMetadata({ versionId }: RequestOf<typeof GetVersionMetadata>): Promise<ReplyOf<typeof GetVersionMetadata>> {
    return this.models.versionMetadata(versionId);
  }

  @Handles(GetKeyCounts)
  async keyCounts({ eventId }: RequestOf<typeof GetKeyCounts>): Promise<ReplyOf<typeof GetKeyCounts>> {
    return { counts: await this.models.keyCounts(eventId) };
  }

  @Handles(GetMissingKeys)
  async missingKeys({ versionId }: RequestOf<typeof GetMissingKeys>): Promise<ReplyOf<typeof GetMissingKeys>> {
    return { keys: await this.models.missingKeys(versionId) };
  }
}
