import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { Caller, type Principal } from '../auth/principal.js';
import { Api } from '../http/api.js';
import { type IdPath, PageQuery, SourcePath } from './paths.js';
import { CreateSourceBody, SourceList, SourceReply, UpdateSourceBody } from './source.schemas.js';
import { SourceService } from './source.service.js';

const area = 'inventory';

@Controller('v2/sources')
export class SourceController {
  constructor(private readonly sources: SourceService) {}

  @Get()
  @Api({ summary: 'List sources', area, access: 'read', query: PageQuery, reply: SourceList })
  list(@Caller() { workspaceId }: Principal, @Query() { page }: PageQuery) {
    return this.sources.list(workspaceId, page);
  }

  @Get(':id')
  @Api({ summary: 'One source', area, access: 'read', params: SourcePath, reply: SourceReply })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.sources.get(workspaceId, id);
  }

  @Post()
  @Api({
    summary: 'Create a source; it gets its write key here',
    area,
    access: 'write',
    body: CreateSourceBody,
    reply: SourceReply,
    errors: ['conflict', 'unavailable'],
  })
  create(@Caller() { workspaceId }: Principal, @Body() body: CreateSourceBody) {
    return this.sources.create(workspaceId, body);
  }

  @Put(':id')
  @Api({
    summary: 'Update a source; its type and write key stay',
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

  @Delete(':id')
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
