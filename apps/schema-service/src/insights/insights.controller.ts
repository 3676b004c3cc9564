import { Controller } from '@nestjs/common';
import {
  DiffVersions,
  GetJsonSchema,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { InsightsService } from './insights.service.js';

@Controller()
export class InsightsController {
  constructor(private readonly insights: InsightsService) {}

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

  @Handles(ListDrift)
  drift(request: RequestOf<typeof ListDrift>): Promise<ReplyOf<typeof ListDrift>> {
    return this.insights.listDrift(request);
  }
}
