import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  CreateQuery,
  CreateSourceBody,
  type IdPath,
  PageQuery,
  SourceList,
  SourcePath,
  SourceReply,
  UpdateSourceBody,
} from './inventory.schemas.js';
import { SourceService } from './source.service.js';

const area = 'inventory';

@Controller()
export class SourceController {
  constructor(private readonly sources: SourceService) {}

  @Get('/v2/sources')
  @Api({ summary: 'List sources', area, access: 'read', query: PageQuery, reply: SourceList })
  list(@Caller() { workspaceId }: Principal, @Query() { page }: PageQuery) {
    return this.sources.list(workspaceId, page);
  }

  @Get('/v2/sources/:id')
  @Api({ summary: 'Get a source', area, access: 'read', params: SourcePath, reply: SourceReply })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.sources.get(workspaceId, id);
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
    body: UpdateSourceBody,
    reply: SourceReply,
    errors: ['conflict', 'unavailable'],
  })
  update(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @Body() body: UpdateSourceBody) {
    return this.sources.update(workspaceId, id, body);
  }

  @Delete('/v2/sources/:id')
  @Api({
    summary: 'Delete a source with its connections',
    area,
    access: 'write',
    params: SourcePath,
    reply: z.void(),
    status: 204,
    errors: ['unavailable'],
  })
  delete(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.sources.delete(workspaceId, id);
  }
}
