import { Body, Controller, Get, Param, Put, Query, Res, UseInterceptors } from '@nestjs/common';
import {
  AppError,
  DiffVersions,
  GetJsonSchema,
  GetSourcePrivacy,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  ListModelDays,
  ListPiiFlags,
  MASK,
  MODEL_DAYS_MAX,
  PutSourcePrivacy,
  SourcePrivacy,
  VersionDiff,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import { Api } from '../../http/api.js';
import { AnswerTagInterceptor } from '../../http/entity-tag.js';
import { answerList, bareList, nextLink } from '../../http/lists.js';
import { FromConsole, Reach } from '../../http/principal.js';
import type { Reply } from '../../http/request.js';
import {
  DiffQuery,
  DriftNotices,
  DriftQuery,
  JsonSchema,
  KeyFacts,
  ModelPath,
  ModelsByDay,
  ObservedSchemas,
  PiiFlags,
  SourcePath,
  SourceQuery,
  TypeScriptText,
  VersionPath,
} from './schema.schemas.js';
import { requireLimited, SchemaReach, SourceKeyRepository } from './schema-reach.service.js';
import { TypeWriter } from './typescript.js';

const common = { area: 'schemas', access: 'read', errors: ['unavailable', 'timeout'] } as const;
/** A source that is named may be unknown. */
const ofSource = { ...common, errors: ['not_found', ...common.errors] } as const;

/** Area D: routes beyond the six reads of the specification. */
@Controller()
@UseInterceptors(AnswerTagInterceptor)
export class InsightController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly reaches: SchemaReach,
  ) {}

  @Get('/schemas/event-models/json-schemas')
  @Api({
    summary: 'Get JSON Schemas of the events seen so far',
    description:
      'Draft-07 schemas of `properties` for track, page and screen models, of `traits` for identify and group models, and of ' +
      'the whole event for others. Traits of identify are those of its context too. `required` lists the keys that every event ' +
      'had. Before 100 events, nothing is required and no object is closed, and `$comment` says so. The keys 0, 1, 2 and so on ' +
      'describe a list.',
    ...ofSource,
    query: SourceQuery,
    reply: ObservedSchemas,
  })
  async jsonSchemas(
    @Reach() workspaceId: string | undefined,
    @FromConsole() isHidden: boolean,
    @Query() query: SourceQuery,
  ): Promise<z.output<typeof ObservedSchemas>> {
    const ask = await this.observed(workspaceId, query);
    if (!isHidden) return answerList(bareList, ask);
    return answerList(bareList, async (after: number | undefined) => {
      const { items, next } = await ask(after);
      return { items: items.map((one) => ({ ...one, writeKey: MASK })), next };
    });
  }

  @Get('/schemas/event-models/:EventID/json-schema')
  @Api({
    summary: 'Get the JSON Schema of the events of a model seen so far',
    description: 'The `schema` of its entry among the JSON Schemas of all models.',
    ...common,
    params: ModelPath,
    reply: JsonSchema,
  })
  async jsonSchema(@Reach() workspaceId: string | undefined, @Param() { EventID: eventId }: ModelPath) {
    await this.reaches.requireModel(workspaceId, eventId);
    return (await this.rpc.send(GetJsonSchema, { eventId })).schema;
  }

  @Get('/schemas/event-models/typescript')
  @Api({
    summary: 'Get TypeScript types of the events seen so far',
    description: 'Exports one type per model. It covers the same part of the event as the JSON Schema.',
    ...ofSource,
    query: SourceQuery,
    reply: TypeScriptText,
  })
  async typescript(
    @Reach() workspaceId: string | undefined,
    @Query() query: SourceQuery,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<string> {
    const ask = await this.observed(workspaceId, query);
    const types = new TypeWriter();
    const declarations: string[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await ask(after);
      declarations.push(...page.items.map((schema) => types.declare(schema)));
      after = page.next;
    }
    void reply.type('text/plain; charset=utf-8');
    return declarations.join('\n');
  }

  @Get('/schemas/event-models/days')
  @Api({
    summary: 'Count the events of each model by day',
    description: `Covers the last ${MODEL_DAYS_MAX} days, including today, in UTC.`,
    ...ofSource,
    query: SourceQuery,
    reply: ModelsByDay,
  })
  async days(
    @Reach() workspaceId: string | undefined,
    @Query() query: SourceQuery,
  ): Promise<z.output<typeof ModelsByDay>> {
    const filter = { workspaceId, writeKey: await this.reaches.writeKey(workspaceId, query) };
    return answerList(bareList, async (after: number | undefined) => {
      const { models, next } = requireLimited(workspaceId, await this.rpc.send(ListModelDays, { ...filter, after }));
      return { items: models, next };
    });
  }

  @Get('/schemas/event-model/:EventID/keys')
  @Api({
    summary: 'List the keys of a model with their shares, their types, and when they were first and last seen',
    ...common,
    params: ModelPath,
    reply: KeyFacts,
  })
  async keys(
    @Reach() workspaceId: string | undefined,
    @Param() { EventID: eventId }: ModelPath,
  ): Promise<z.output<typeof KeyFacts>> {
    await this.reaches.requireModel(workspaceId, eventId);
    return answerList(bareList, async (after: string | undefined) => {
      const { keys, next } = await this.rpc.send(ListKeyFacts, { eventId, after });
      return { items: keys, next };
    });
  }

  @Get('/schemas/event-model/:EventID/pii')
  @Api({
    summary: 'List the keys of a model that look personal',
    description: 'Judges by key names and by observed values. This is a hint, not a proof.',
    ...common,
    params: ModelPath,
    reply: PiiFlags,
  })
  async pii(@Reach() workspaceId: string | undefined, @Param() { EventID: eventId }: ModelPath) {
    await this.reaches.requireModel(workspaceId, eventId);
    return (await this.rpc.send(ListPiiFlags, { eventId })).flags;
  }

  @Get('/schemas/event-version/:VersionID/diff')
  @Api({
    summary: 'Compare two schema versions of a model',
    ...common,
    params: VersionPath,
    query: DiffQuery,
    reply: VersionDiff,
  })
  async diff(
    @Reach() workspaceId: string | undefined,
    @Param() { VersionID: versionId }: VersionPath,
    @Query() { against }: DiffQuery,
  ) {
    if (against === undefined) throw new AppError('invalid', 'Mandatory field: against missing');
    for (const id of [against, versionId]) await this.reaches.requireVersion(workspaceId, id);
    return this.rpc.send(DiffVersions, { versionId, against });
  }

  @Get('/schemas/drift')
  @Api({
    summary: 'List notices of schema changes, oldest first unless `order=desc`',
    description:
      'Reports new versions, new types of keys, and vanished keys. A key has vanished if one in ten events had it, and then no ' +
      'event of the model for a day. Weir keeps notices for 90 days, up to 500 per model. A `Link` header leads to the next page.',
    ...ofSource,
    query: DriftQuery,
    reply: DriftNotices,
  })
  async drift(
    @Reach() workspaceId: string | undefined,
    @FromConsole() isHidden: boolean,
    @Query() query: DriftQuery,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    const { EventID: eventId, Kind: kind, limit, after, order } = query;
    const writeKey = await this.reaches.writeKey(workspaceId, query);
    const request = { workspaceId, writeKey, eventId, kind, limit, after, order };
    const { notices, next } = requireLimited(workspaceId, await this.rpc.send(ListDrift, request));
    if (next !== undefined) void reply.header('link', nextLink('/schemas/drift', { ...query, after: next }));
    return notices.map(await this.reaches.keyHider(workspaceId, isHidden));
  }

  private async observed(workspaceId: string | undefined, query: SourceQuery) {
    const filter = { workspaceId, writeKey: await this.reaches.writeKey(workspaceId, query) };
    return async (after: number | undefined) => {
      const listed = requireLimited(workspaceId, await this.rpc.send(ListJsonSchemas, { ...filter, after }));
      return { items: listed.schemas, next: listed.next };
    };
  }
}

const ofPrivacy = {
  area: 'schemas',
  params: SourcePath,
  reply: SourcePrivacy,
  errors: ['unavailable', 'timeout'],
} as const;

/** Controls which samples and frequent values of a source are kept and shown. */
@Controller()
export class PrivacyController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly reaches: SchemaReach,
    private readonly sources: SourceKeyRepository,
  ) {}

  @Get('/schemas/sources/:WriteKey/privacy')
  @Api({
    summary: 'Get the privacy settings of a source: what its samples keep and show',
    ...ofPrivacy,
    access: 'read',
  })
  async read(@Reach() workspaceId: string | undefined, @Param() { WriteKey: writeKey }: SourcePath) {
    await this.reaches.requireSource(workspaceId, writeKey);
    return this.rpc.send(GetSourcePrivacy, { writeKey });
  }

  @Put('/schemas/sources/:WriteKey/privacy')
  @Api({
    summary: 'Change the privacy settings of a source: what its samples keep and show',
    description: 'Applies to every read after the answer. Counts, schemas and versions do not change.',
    ...ofPrivacy,
    access: 'write',
    body: SourcePrivacy,
  })
  async write(
    @Reach() workspaceId: string | undefined,
    @Param() { WriteKey: writeKey }: SourcePath,
    @Body() privacy: SourcePrivacy,
  ) {
    await this.reaches.requireSource(workspaceId, writeKey);
    const stored = await this.rpc.send(PutSourcePrivacy, { writeKey, privacy });
    await this.sources.notePrivacy(writeKey, stored);
    return stored;
  }
}
