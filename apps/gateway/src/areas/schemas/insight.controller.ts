import { Controller, Get, Param, Query, Res, UseInterceptors } from '@nestjs/common';
import {
  AppError,
  DiffVersions,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  ListPiiFlags,
  VersionDiff,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import { Api } from '../../http/api.js';
import type { Reply } from '../../http/request.js';
import { answerList, bareList } from '../pages.js';
import { AnswerTagInterceptor } from './answer-tag.interceptor.js';
import {
  DiffQuery,
  DriftNotices,
  DriftQuery,
  KeyFacts,
  ObservedSchemas,
  PiiFlags,
  SourceQuery,
  TypeScriptText,
} from './insight.schemas.js';
import { nextLink } from './page-link.js';
import { ModelPath, VersionPath } from './schema.schemas.js';
import { TypeWriter } from './typescript.js';

const common = { area: 'schemas', access: 'read', errors: ['unavailable', 'timeout'] } as const;

/** Area D: routes beyond the six reads of the specification. */
@Controller('schemas')
@UseInterceptors(AnswerTagInterceptor)
export class InsightController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('event-models/json-schemas')
  @Api({
    summary: 'What events have looked like so far, as JSON Schemas',
    description:
      'Draft-07, of the `properties` of track, page and screen models, of the `traits` of identify and group models, and of whole events of others. ' +
      '`required` are keys that every event had. Keys 0, 1, 2 and so on describe a list.',
    ...common,
    query: SourceQuery,
    reply: ObservedSchemas,
  })
  jsonSchemas(@Query() { WriteKey }: SourceQuery): Promise<z.output<typeof ObservedSchemas>> {
    return answerList(bareList, (after: number | undefined) => this.observed(WriteKey, after));
  }

  @Get('event-models/typescript')
  @Api({
    summary: 'What events have looked like so far, as TypeScript types',
    description: 'One exported type a model, of the same part of the event as its JSON Schema.',
    ...common,
    query: SourceQuery,
    reply: TypeScriptText,
  })
  async typescript(@Query() { WriteKey }: SourceQuery, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    const types = new TypeWriter();
    const declarations: string[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await this.observed(WriteKey, after);
      declarations.push(...page.items.map((schema) => types.declare(schema)));
      after = page.next;
    }
    void reply.type('text/plain; charset=utf-8');
    return declarations.join('\n');
  }

  @Get('event-model/:EventID/keys')
  @Api({
    summary: 'Each key of a model: shares of events and of types, first and last seen',
    ...common,
    params: ModelPath,
    reply: KeyFacts,
  })
  keys(@Param() { EventID: eventId }: ModelPath): Promise<z.output<typeof KeyFacts>> {
    return answerList(bareList, async (after: string | undefined) => {
      const { keys, next } = await this.rpc.send(ListKeyFacts, { eventId, after });
      return { items: keys, next };
    });
  }

  @Get('event-model/:EventID/pii')
  @Api({
    summary: 'Keys of a model that look personal',
    description: 'By their names, or by values that were seen. A hint for people, never a proof.',
    ...common,
    params: ModelPath,
    reply: PiiFlags,
  })
  async pii(@Param() { EventID: eventId }: ModelPath) {
    return (await this.rpc.send(ListPiiFlags, { eventId })).flags;
  }

  @Get('event-version/:VersionID/diff')
  @Api({
    summary: 'What a schema version has that another has not, and the other way round',
    ...common,
    params: VersionPath,
    query: DiffQuery,
    reply: VersionDiff,
  })
  diff(@Param() { VersionID: versionId }: VersionPath, @Query() { against }: DiffQuery) {
    if (against === undefined) throw new AppError('invalid', 'Mandatory field: against missing');
    return this.rpc.send(DiffVersions, { versionId, against });
  }

  @Get('drift')
  @Api({
    summary: 'Notices of schemas that changed, oldest first',
    description:
      'New versions, new types of keys, and keys that vanished: those that one in ten events had and that a day of the ' +
      "model's events went on without. Kept for 90 days, 500 a model. A `Link` header leads to the next page.",
    ...common,
    query: DriftQuery,
    reply: DriftNotices,
  })
  async drift(@Query() query: DriftQuery, @Res({ passthrough: true }) reply: Reply) {
    const { WriteKey: writeKey, EventID: eventId, Kind: kind, limit, after } = query;
    const { notices, next } = await this.rpc.send(ListDrift, { writeKey, eventId, kind, limit, after });
    if (next !== undefined) void reply.header('link', nextLink('/schemas/drift', { ...query, after: next }));
    return notices;
  }

  private async observed(writeKey: string | undefined, after: number | undefined) {
    const { schemas, next } = await this.rpc.send(ListJsonSchemas, { writeKey: writeKey || undefined, after });
    return { items: schemas, next };
  }
}
