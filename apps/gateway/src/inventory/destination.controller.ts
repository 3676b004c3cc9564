import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { Caller, type Principal } from '../auth/principal.js';
import { Api } from '../http/api.js';
import {
  CreateDestinationBody,
  DestinationList,
  DestinationReply,
  UpdateDestinationBody,
} from './destination.schemas.js';
import { DestinationService } from './destination.service.js';
import { DestinationPath, ExternalIdPageQuery, type IdPath } from './paths.js';

const area = 'inventory';
const params = DestinationPath;

@Controller('v2/destinations')
export class DestinationController {
  constructor(private readonly destinations: DestinationService) {}

  @Get()
  @Api({ summary: 'List destinations', area, access: 'read', query: ExternalIdPageQuery, reply: DestinationList })
  list(@Caller() caller: Principal, @Query() query: ExternalIdPageQuery) {
    return this.destinations.list(caller, query);
  }

  @Get(':id')
  @Api({ summary: 'One destination', area, access: 'read', params, reply: DestinationReply })
  get(@Caller() caller: Principal, @Param() { id }: IdPath) {
    return this.destinations.get(caller, id);
  }

  @Post()
  @Api({
    summary: 'Create a destination of a known type',
    area,
    access: 'write',
    body: CreateDestinationBody,
    reply: DestinationReply,
    errors: ['conflict', 'unavailable'],
  })
  create(@Caller() caller: Principal, @Body() body: CreateDestinationBody) {
    return this.destinations.create(caller, body);
  }

  @Put(':id')
  @Api({
    summary: 'Update a destination; a secret sent back as *** stays as it is',
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

  @Delete(':id')
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
