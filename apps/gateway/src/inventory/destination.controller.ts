import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { Caller, type Principal } from '../http/principal.js';
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
export class DestinationController {
  constructor(private readonly destinations: DestinationService) {}

  @Get('/v2/destinations')
  @Api({ summary: 'List destinations', area, access: 'read', query: ExternalIdPageQuery, reply: DestinationList })
  list(@Caller() caller: Principal, @Query() query: ExternalIdPageQuery) {
    return this.destinations.list(caller, query);
  }

  @Get('/v2/destinations/:id')
  @Api({ summary: 'Get a destination', area, access: 'read', params, reply: DestinationReply })
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
    body: UpdateDestinationBody,
    reply: DestinationReply,
    errors: ['conflict', 'unavailable'],
  })
  update(@Caller() caller: Principal, @Param() { id }: IdPath, @Body() body: UpdateDestinationBody) {
    return this.destinations.update(caller, id, body);
  }

  @Delete('/v2/destinations/:id')
  @Api({
    summary: 'Delete a destination with its connections, its link and its deletion tasks',
    area,
    access: 'write',
    params,
    reply: z.void(),
    status: 204,
    errors: ['unavailable'],
  })
  delete(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.destinations.delete(workspaceId, id);
  }
}
