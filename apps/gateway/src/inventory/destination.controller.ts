import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res, UseInterceptors } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../http/entity-tag.js';
import { Caller, type Principal } from '../http/principal.js';
import type { Reply } from '../http/request.js';
import { DestinationService } from './destination.service.js';
import {
  CreateDestinationBody,
  CreateQuery,
  DestinationList,
  DestinationPath,
  DestinationReply,
  ExternalIdPageQuery,
  type IdPath,
  UpdateDestinationBody,
} from './inventory.schemas.js';

const area = 'inventory';
const params = DestinationPath;

@Controller()
@UseInterceptors(EntityTagInterceptor)
export class DestinationController {
  constructor(private readonly destinations: DestinationService) {}

  @Get('/v2/destinations')
  @Api({
    summary: 'List destinations',
    area,
    access: 'read',
    query: ExternalIdPageQuery,
    reply: DestinationList,
    errors: ['unavailable'],
  })
  list(@Caller() caller: Principal, @Query() query: ExternalIdPageQuery, @Res({ passthrough: true }) reply: Reply) {
    return this.destinations.list(caller, query, reply);
  }

  @Get('/v2/destinations/:id')
  @Api({ summary: 'Get a destination', area, access: 'read', params, reply: DestinationReply, etag: 'object' })
  get(@Caller() caller: Principal, @Param() { id }: IdPath) {
    return this.destinations.get(caller, id);
  }

  @Post('/v2/destinations')
  @Api({
    summary: 'Create a destination of a known type',
    area,
    access: 'write',
    query: CreateQuery,
    body: CreateDestinationBody,
    reply: DestinationReply,
    etag: 'object',
    errors: ['conflict', 'unavailable'],
  })
  create(@Caller() caller: Principal, @Query() query: CreateQuery, @Body() body: CreateDestinationBody) {
    return this.destinations.create(caller, body, query);
  }

  @Put('/v2/destinations/:id')
  @Api({
    summary: 'Update a destination. A secret sent back as *** keeps its value',
    area,
    access: 'write',
    params,
    headers: IfMatchHeader,
    body: UpdateDestinationBody,
    reply: DestinationReply,
    etag: 'object',
    errors: ['precondition_failed', 'conflict', 'unavailable'],
  })
  update(
    @Caller() caller: Principal,
    @Param() { id }: IdPath,
    @Body() body: UpdateDestinationBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.destinations.update(caller, id, body, ifMatch);
  }

  @Delete('/v2/destinations/:id')
  @Api({
    summary: 'Delete a destination with its connections, its link and its deletion tasks',
    area,
    access: 'write',
    params,
    headers: IfMatchHeader,
    reply: z.void(),
    status: 204,
    errors: ['precondition_failed', 'unavailable'],
  })
  delete(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @IfMatch() ifMatch: string[] | undefined) {
    return this.destinations.delete(workspaceId, id, ifMatch);
  }
}
