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
import { isSecretName } from '@weir/settings';
import type { z } from 'zod';
import { Api } from '../../http/api.js';
import { AnswerTagInterceptor } from '../../http/entity-tag.js';
import { answerList, bareList, nextLink, type Page } from '../../http/lists.js';
import { FromConsole, Reach } from '../../http/principal.js';
import { redacted } from '../../http/redaction.js';
import type { Reply } from '../../http/request.js';
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
import { requireLimited, SchemaReach } from './schema-reach.service.js';

const common = { area: 'schemas', access: 'read', errors: ['unavailable', 'timeout'] } as const;

/** The guarantees of metadata (apps/schema-service/README.md). */
const STATISTICS =
  'SampledEvents has up to 5 events of at most 10 KiB. Each event has the same chance to be one of them. A Frequency is exact ' +
  'for paths with up to 256 different values. Beyond that, it is too high by at most 1/256 of the observations of the path, ' +
  'and includes every value that makes up 1 % or more. Paths of identifiers have no frequencies, because their values rarely ' +
  'repeat.';

/** Area D: the event models of incoming events (spec 4.4). The schema service refuses unknown ids. */
@Controller()
@UseInterceptors(AnswerTagInterceptor)
export class SchemaController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly reaches: SchemaReach,
  ) {}

  @Get('/schemas/event-models')
  @Api({
    summary: 'List event models',
    ...common,
    query: ModelsQuery,
    reply: Models,
    // A source that is named may be unknown.
    errors: ['not_found', ...common.errors],
  })
  async models(
    @Reach() workspaceId: string | undefined,
    @FromConsole() isHidden: boolean,
    @Query() query: ModelsQuery,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<z.output<typeof Models>> {
    const filter = { workspaceId, writeKey: await this.reaches.writeKey(workspaceId, query) };
    const shown = await this.reaches.keyHider(workspaceId, isHidden);
    const ask = async (after: number | undefined, limit?: number) => {
      const listed = requireLimited(workspaceId, await this.rpc.send(ListModels, { ...filter, after, limit }));
      return { items: listed.models.map(shown), next: listed.next };
    };
    return answer('/schemas/event-models', query, ask, reply);
  }

  @Get('/schemas/event-versions')
  @Api({ summary: 'List the schema versions of an event model', ...common, query: VersionsQuery, reply: Versions })
  async versions(
    @Reach() workspaceId: string | undefined,
    @Query() query: VersionsQuery,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<z.output<typeof Versions>> {
    const { EventID: eventId } = query;
    if (eventId === undefined) throw new AppError('invalid', 'Mandatory field: EventID missing');
    if (!(await this.reaches.owns(workspaceId, { eventId }))) return [];
    const ask = async (after: number | undefined, limit?: number) => {
      const { versions, next } = await this.rpc.send(ListVersions, { eventId, after, limit });
      return { items: versions, next };
    };
    return answer('/schemas/event-versions', query, ask, reply);
  }

  @Get('/schemas/event-model/:EventID/metadata')
  @Api({
    summary: 'Get samples and frequent values of an event model',
    description: STATISTICS,
    ...common,
    access: 'samples',
    params: ModelPath,
    reply: EventMetadata,
  })
  async modelMetadata(
    @Reach() workspaceId: string | undefined,
    @FromConsole() isHidden: boolean,
    @Param() { EventID: eventId }: ModelPath,
  ) {
    await this.reaches.requireModel(workspaceId, eventId);
    const metadata = await this.rpc.send(GetModelMetadata, { eventId });
    return isHidden ? withoutSecrets(metadata) : metadata;
  }

  @Get('/schemas/event-version/:VersionID/metadata')
  @Api({
    summary: 'Get samples and frequent values of a schema version',
    description: STATISTICS,
    ...common,
    access: 'samples',
    params: VersionPath,
    reply: EventMetadata,
  })
  async versionMetadata(
    @Reach() workspaceId: string | undefined,
    @FromConsole() isHidden: boolean,
    @Param() { VersionID: versionId }: VersionPath,
  ) {
    await this.reaches.requireVersion(workspaceId, versionId);
    const metadata = await this.rpc.send(GetVersionMetadata, { versionId });
    return isHidden ? withoutSecrets(metadata) : metadata;
  }

  @Get('/schemas/event-model/:EventID/key-counts')
  @Api({ summary: 'Count the events of a model by key', ...common, params: ModelPath, reply: KeyCounts })
  async keyCounts(@Reach() workspaceId: string | undefined, @Param() { EventID: eventId }: ModelPath) {
    await this.reaches.requireModel(workspaceId, eventId);
    return (await this.rpc.send(GetKeyCounts, { eventId })).counts;
  }

  @Get('/schemas/event-version/:VersionID/missing-keys')
  @Api({
    summary: 'List the keys of the model that a schema version lacks',
    ...common,
    params: VersionPath,
    reply: MissingKeys,
  })
  async missingKeys(@Reach() workspaceId: string | undefined, @Param() { VersionID: versionId }: VersionPath) {
    await this.reaches.requireVersion(workspaceId, versionId);
    return (await this.rpc.send(GetMissingKeys, { versionId })).keys;
  }
}

/** Masks likely secrets in what the console shows of events, as in the life of an event. */
const withoutSecrets = ({ SampledEvents, FrequentValues, ...rest }: EventMetadata): EventMetadata => ({
  ...rest,
  SampledEvents: SampledEvents.map(redacted),
  FrequentValues: Object.fromEntries(
    Object.entries(FrequentValues).filter(([path]) => !path.split('.').some(isSecretName)),
  ),
});

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
