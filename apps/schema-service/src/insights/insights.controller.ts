import { Controller } from '@nestjs/common';
import {
  DiffVersions,
  GetJsonSchema,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  ListModelDays,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { InsightsService } from './insights.service.js';
import { ModelDaysListRepository } from './model-days-list.repository.js';

@Controller()
export class InsightsController {
  constructor(
    private readonly insights: InsightsService,
    private readonly modelDays: ModelDaysListRepository,
  ) {}

  @Handles(ListKeyFacts)
  keyFacts({ eventId, after }: RequestOf<typeof ListKeyFacts>): Promise<ReplyOf<typeof ListKeyFacts>> {
    return this.insights.keyFacts(eventId, after);
  }

  @Handles(ListJsonSchemas)
  async jsonSchemas(request: RequestOf<typeof ListJsonSchemas>): Promise<ReplyOf<typeof ListJsonSchemas>> {
    const { after, ...filter } = request;
    return { workspaceId: request.workspaceId, ...(await this.insights.jsonSchemas(filter, after)) };
  }

  @Handles(GetJsonSchema)
  jsonSchema({ eventId }: RequestOf<typeof GetJsonSchema>): Promise<ReplyOf<typeof GetJsonSchema>> {
    return this.insights.jsonSchema(eventId);
  }

  @Handles(DiffVersions)
  diff({ versionId, against }: RequestOf<typeof DiffVersions>): Promise<ReplyOf<typeof DiffVersions>> {
    return this.insights.diff(versionId, against);
  }

  @Handles(ListModelDays)
  async days({ after, ...filter }: RequestOf<typeof ListModelDays>): Promise<ReplyOf<typeof ListModelDays>> {
    return { workspaceId: filter.workspaceId, ...(await this.modelDays.list(filter, after)) };
  }

  @Handles(ListDrift)
  drift(request: RequestOf<typeof ListDrift>): Promise<ReplyOf<typeof ListDrift>> {
    return this.insights.listDrift(request);
  }
}
