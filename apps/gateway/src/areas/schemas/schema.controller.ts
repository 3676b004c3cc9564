import { Controller, Get, Param, Query, Res, UseInterceptors } from '@nestjs/common';
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
import type { Reply } from '../../http/request.js';
import { answerList, bareList, type Page } from '../pages.js';
import { AnswerTagInterceptor } from './answer-tag.interceptor.js';
import { nextLink } from './page-link.js';
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

/** The guarantees of metadata (apps/schema-service/README.md). */
const STATISTICS =
  'SampledEvents are up to 5 events of at most 10 KiB, each event with the same chance. A Frequency is exact while a path ' +
  'has had no more than 256 different values; after that it is too high by at most 1/256 of the observations of the path, and no value that ' +
  'makes up one in a hundred is missing. Paths of identifiers, whose values hardly repeat, list none.';

/** Area D: the event models of incoming events (spec 4.4). The schema service refuses unknown ids. */
@Controller('schemas')
@UseInterceptors(AnswerTagInterceptor)
export class SchemaController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('event-models')
  @Api({ summary: 'List event models', ...common, query: ModelsQuery, reply: Models })
  models(@Query() query: ModelsQuery, @Res({ passthrough: true }) reply: Reply): Promise<z.output<typeof Models>> {
    const ask = async (after: number | undefined, limit?: number) => {
      const { models, next } = await this.rpc.send(ListModels, { writeKey: query.WriteKey || undefined, after, limit });
      return { items: models, next };
    };
    return answer('/schemas/event-models', query, ask, reply);
  }

  @Get('event-versions')
  @Api({ summary: 'List the schema versions of an event model', ...common, query: VersionsQuery, reply: Versions })
  async versions(
    @Query() query: VersionsQuery,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<z.output<typeof Versions>> {
    const { EventID: eventId } = query;
    if (eventId === undefined) throw new AppError('invalid', 'Mandatory field: EventID missing');
    const ask = async (after: number | undefined, limit?: number) => {
      const { versions, next } = await this.rpc.send(ListVersions, { eventId, after, limit });
      return { items: versions, next };
    };
    return answer('/schemas/event-versions', query, ask, reply);
  }

  @Get('event-model/:EventID/metadata')
  @Api({
    summary: 'Samples and frequent values of an event model',
    description: STATISTICS,
    ...common,
    params: ModelPath,
    reply: EventMetadata,
  })
  modelMetadata(@Param() { EventID: eventId }: ModelPath) {
    return this.rpc.send(GetModelMetadata, { eventId });
  }

  @Get('event-version/:VersionID/metadata')
  @Api({
    summary: 'Samples and frequent values of a schema version',
    description: STATISTICS,
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

interface PageQuery {
  limit?: number | undefined;
  after?: number | undefined;
}

/** Streams all rows, or answers the requested page. */
async function answer<Item>(
  path: string,
  query: PageQuery & Record<string, string | number | undefined>,
  ask: (after: number | undefined, limit?: number) => Promise<Page<Item, number>>,
  reply: Reply,
): Promise<Item[]> {
  const { limit, after } = query;
  if (limit === undefined && after === undefined) return answerList(bareList, (from: number | undefined) => ask(from));
  const { items, next } = await ask(after, limit);
  if (next !== undefined) void reply.header('link', nextLink(path, { ...query, after: next }));
  return [...items];
}
