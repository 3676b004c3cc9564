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
import { Handles, JsonText } from '@weir/messaging';
import type { Listed } from './models.repository.js';
import { ModelsService } from './models.service.js';

@Controller()
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Handles(ListModels)
  async listModels(request: RequestOf<typeof ListModels>): Promise<JsonText> {
    const { rows, ...next } = await this.models.listModels(request);
    return listText('models', rows, { workspaceId: request.workspaceId, ...next });
  }

  @Handles(FindModelOwner)
  async owner(request: RequestOf<typeof FindModelOwner>): Promise<ReplyOf<typeof FindModelOwner>> {
    return { workspaceId: await this.models.owner(request) };
  }

  @Handles(ListVersions)
  async listVersions({ eventId, after, limit }: RequestOf<typeof ListVersions>): Promise<JsonText> {
    const { rows, ...next } = await this.models.listVersions(eventId, after, limit);
    return listText('versions', rows, next);
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

/** Writes the rows with the schemas as they are. The rest has no field of the list's name. */
function listText<Row>(name: string, rows: readonly Listed<Row>[], rest: object): JsonText {
  const others = JSON.stringify(rest).slice(1);
  return new JsonText(`{${JSON.stringify(name)}:[${rows.map(rowText).join()}]${others === '}' ? '' : ','}${others}`);
}

const rowText = <Row>({ Schema, ...row }: Listed<Row>): string =>
  `${JSON.stringify(row).slice(0, -1)},"Schema":${Schema.text}}`;
