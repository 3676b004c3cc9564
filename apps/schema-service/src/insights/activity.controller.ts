import { Controller } from '@nestjs/common';
import { ListSourceActivity, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { ActivityRepository } from './activity.repository.js';

/** Answers whoever tells people of trouble. */
@Controller()
export class ActivityController {
  constructor(private readonly activity: ActivityRepository) {}

  @Handles(ListSourceActivity)
  async list({ workspaceIds }: RequestOf<typeof ListSourceActivity>): Promise<ReplyOf<typeof ListSourceActivity>> {
    return { sources: await this.activity.list(workspaceIds) };
  }
}
