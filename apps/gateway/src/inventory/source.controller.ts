import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res, UseInterceptors } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../http/entity-tag.js';
import { Caller, type Principal } from '../http/principal.js';
import type { Reply } from '../http/request.js';
import {
  CreateQuery,
  CreateSourceBody,
  type IdPath,
  PageQuery,
  SourceList,
  SourcePath,
  SourceReply,
  UpdateSourceBody,
  WriteKeyReply,
} from './inventory.schemas.js';
import { SourceService } from './source.service.js';

const area = 'inventory';

@Controller()
@UseInterceptors(EntityTagInterceptor)
export class SourceController {
  constructor(private readonly sources: SourceService) {}

  @Get('/v2/sources')
  @Api({ summary: 'List sources', area, access: 'read', query: PageQuery, reply: SourceList, errors: ['unavailable'] })
  list(@Caller() caller: Principal, @Query() query: PageQuery, @Res({ passthrough: true }) reply: Reply) {
    return this.sources.list(caller, query, reply);
  }

  @Get('/v2/sources/:id')
  @Api({ summary: 'Get a source', area, access: 'read', params: SourcePath, reply: SourceReply, etag: 'answer' })
  get(@Caller() caller: Principal, @Param() { id }: IdPath) {
    return this.sources.get(caller, id);
  }

  @Get('/v2/sources/:id/write-key')
  @Api({
    summary: 'Get the write key of a source',
    description: 'For sessions of the console, which see it in no other answer.',
    area,
    access: 'write',
    params: SourcePath,
    reply: WriteKeyReply,
  })
  writeKey(@Caller() caller: Principal, @Param() { id }: IdPath) {
    return this.sources.writeKey(caller, id);
  }

  @Post('/v2/sources')
  @Api({
    summary: 'Create a source with a new write key',
    description: 'Admins may choose the write key, so that SDKs of another system keep theirs.',
    area,
    access: 'write',
    query: CreateQuery,
    body: CreateSourceBody,
    reply: SourceReply,
    etag: 'answer',
    errors: ['conflict', 'unavailable'],
  })
  create(@Caller() caller: Principal, @Query() query: CreateQuery, @Body() body: CreateSourceBody) {
    return this.sources.create(caller, body, query);
  }

  @Put('/v2/sources/:id')
  @Api({
    summary: 'Update a source. Its type and write key cannot change',
    description:
      'Answers 409 to another number of `partitions` while the source is enabled: disable it, wait until its events are delivered, then change the number.',
    area,
    access: 'write',
    params: SourcePath,
    headers: IfMatchHeader,
    body: UpdateSourceBody,
    reply: SourceReply,
    etag: 'answer',
    errors: ['precondition_failed', 'conflict', 'unavailable'],
  })
  update(
    @Caller() caller: Principal,
    @Param() { id }: IdPath,
    @Body() body: UpdateSourceBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.sources.update(caller, id, body, ifMatch);
  }

  @Delete('/v2/sources/:id')
  @Api({
    summary: 'Delete a source with its connections',
    area,
    access: 'write',
    params: SourcePath,
    headers: IfMatchHeader,
    reply: z.void(),
    status: 204,
    errors: ['precondition_failed', 'unavailable'],
  })
  delete(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @IfMatch() ifMatch: string[] | undefined) {
    return this.sources.delete(workspaceId, id, ifMatch);
  }
}
