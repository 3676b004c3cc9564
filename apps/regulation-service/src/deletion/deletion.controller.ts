import { Controller } from '@nestjs/common';
import { AbortDestinationTasks, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { DeletionService } from './deletion.service.js';

@Controller()
export class DeletionController {
  constructor(private readonly deletions: DeletionService) {}

  @Handles(AbortDestinationTasks)
  async abort({
    workspaceId,
    destinationId,
  }: RequestOf<typeof AbortDestinationTasks>): Promise<ReplyOf<typeof AbortDestinationTasks>> {
    await this.deletions.abortDestination(workspaceId, destinationId);
    return {};
  }
}
