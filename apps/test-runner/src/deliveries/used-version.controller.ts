import { Controller } from '@nestjs/common';
import { ListUsedVersions, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { UsedVersionRepository } from './used-version.repository.js';

@Controller()
export class UsedVersionController {
  constructor(private readonly usedVersions: UsedVersionRepository) {}

  @Handles(ListUsedVersions)
  async list({
    workspaceId,
    destinationId,
  }: RequestOf<typeof ListUsedVersions>): Promise<ReplyOf<typeof ListUsedVersions>> {
    return { deliverers: await this.usedVersions.list(workspaceId, destinationId) };
  }
}
