import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  AppError,
  EventMetadata,
  GetKeyCounts,
  GetMissingKeys,
  GetModelMetadata,
  GetVersionMetadata,
  ListModels,
  ListVersions,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import { Api } from '../../http/api.js';
import { answerList, bareList } from '../pages.js';
import {
  KeyCounts,
  MissingKeys,
  ModelPath,
  Models,
  ModelsQuery,
  VersionPath,
  Versions,
  VersionsQuery,
} from './schema.schemas.js';

const common = { area: 'schemas', access: 'read', errors: ['unavailable', 'timeout'] } as const;

/** Area D: what is known of the events that came in (spec 4.4). Unknown ids are the schema service's to refuse. */
@Controller('schemas')
export class SchemaController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('event-models')
  @Api({ summary: 'List event models', ...common, query: ModelsQuery, reply: Models })
  models(@Query() { WriteKey }: ModelsQuery): Promise<z.output<typeof Models>> {
    return answerList(bareList, async (after: number | undefined) => {
      const { models, next } = await this.rpc.send(ListModels, { writeKey: WriteKey || undefined, after });
      return { items: models, next };
    });
  }

  @Get('event-versions')
  @Api({ summary: 'List the schema versions of an event model', ...common, query: VersionsQuery, reply: Versions })
  async versions(@Query() { EventID: eventId }: VersionsQuery): Promise<z.output<typeof Versions>> {
    if (eventId === undefined) throw new AppError('invalid', 'Mandatory field: EventID missing');
    return answerList(bareList, async (after: number | undefined) => {
      const { versions, next } = await this.rpc.send(ListVersions, { eventId, after });
      return { items: versions, next };
    });
  }

  @Get('event-model/:EventID/metadata')
  @Api({ summary: 'Samples and frequent values of an event model', ...common, params: ModelPath, reply: EventMetadata })
  modelMetadata(@Param() { EventID: eventId }: ModelPath) {
    return this.rpc.send(GetModelMetadata, { eventId });
  }

  @Get('event-version/:VersionID/metadata')
  @Api({
    summary: 'Samples and frequent values of a schema version',
    ...common,
    params: VersionPath,
    reply: EventMetadata,
  })
  versionMetadata(@Param() { VersionID: versionId }: VersionPath) {
    return this.rpc.send(GetVersionMetadata, { versionId });
  }

  @Get('event-model/:EventID/key-counts')
  @Api({ summary: 'How many events of a model carry each key', ...common, params: ModelPath, reply: KeyCounts })
  async keyCounts(@Param() { EventID: eventId }: ModelPath) {
    return (await this.rpc.send(GetKeyCounts, { eventId })).counts;
  }

  @Get('event-version/:VersionID/missing-keys')
  @Api({
    summary: 'Keys of the model that a schema version lacks',
    ...common,
    params: VersionPath,
    reply: MissingKeys,
  })
  async missingKeys(@Param() { VersionID: versionId }: VersionPath) {
    return (await this.rpc.send(GetMissingKeys, { versionId })).keys;
  }
}
