import { Controller } from '@nestjs/common';
import { PurgeSchemaUsers, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { PurgeService } from './purge.service.js';

@Controller()
export class PurgeController {
  constructor(private readonly service: PurgeService) {}

  @Handles(PurgeSchemaUsers)
  async purge(request: RequestOf<typeof PurgeSchemaUsers>): Promise<ReplyOf<typeof PurgeSchemaUsers>> {
    return { done: await this.service.purge(request) };
  }
}
