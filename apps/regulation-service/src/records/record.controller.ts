import { Controller } from '@nestjs/common';
import {
  CancelRegulation,
  CreateRegulation,
  GetRegulation,
  ListRegulations,
  PlanRegulation,
  RecallRegulation,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { CreationService } from './creation.service.js';
import { RecordService } from './record.service.js';

@Controller()
export class RecordController {
  constructor(
    private readonly records: RecordService,
    private readonly creation: CreationService,
  ) {}

  @Handles(CreateRegulation)
  create(request: RequestOf<typeof CreateRegulation>): Promise<ReplyOf<typeof CreateRegulation>> {
    return this.creation.create(request);
  }

  @Handles(RecallRegulation)
  recall(request: RequestOf<typeof RecallRegulation>): Promise<ReplyOf<typeof RecallRegulation>> {
    return this.creation.recall(request);
  }

  @Handles(PlanRegulation)
  plan(request: RequestOf<typeof PlanRegulation>): Promise<ReplyOf<typeof PlanRegulation>> {
    return this.creation.plan(request);
  }

  @Handles(ListRegulations)
  list(request: RequestOf<typeof ListRegulations>): Promise<ReplyOf<typeof ListRegulations>> {
    return this.records.list(request);
  }

  @Handles(GetRegulation)
  get(request: RequestOf<typeof GetRegulation>): Promise<ReplyOf<typeof GetRegulation>> {
    return this.records.get(request);
  }

  @Handles(CancelRegulation)
  async cancel(request: RequestOf<typeof CancelRegulation>): Promise<ReplyOf<typeof CancelRegulation>> {
    await this.records.cancel(request);
    return {};
  }
}
