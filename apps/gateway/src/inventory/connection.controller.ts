import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res, UseInterceptors } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../http/entity-tag.js';
import { Caller, type Principal } from '../http/principal.js';
import type { Reply } from '../http/request.js';
import { ConnectionService } from './connection.service.js';
import {
  ConnectionList,
  ConnectionPath,
  ConnectionReply,
  CreateConnectionBody,
  ExternalIdPageQuery,
  type IdPath,
  UpdateConnectionBody,
} from './inventory.schemas.js';

const area = 'inventory';
const params = ConnectionPath;

@Controller()
@UseInterceptors(EntityTagInterceptor)
export class ConnectionController {
  constructor(private readonly connections: ConnectionService) {}

  @Get('/v2/connections')
  @Api({
    summary: 'List connections',
    area,
    access: 'read',
    query: ExternalIdPageQuery,
    reply: ConnectionList,
    errors: ['unavailable'],
  })
  list(
    @Caller() { workspaceId }: Principal,
    @Query() query: ExternalIdPageQuery,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    return this.connections.list(workspaceId, query, reply);
  }

  @Get('/v2/connections/:id')
  @Api({ summary: 'Get a connection', area, access: 'read', params, reply: ConnectionReply, etag: 'answer' })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.connections.get(workspaceId, id);
  }

  @Post('/v2/connections')
  @Api({
    summary: 'Connect a source to a destination',
    area,
    access: 'write',
    body: CreateConnectionBody,
    reply: ConnectionReply,
    etag: 'answer',
    errors: ['conflict', 'unavailable'],
  })
  create(@Caller() { workspaceId }: Principal, @Body() body: CreateConnectionBody) {
    return this.connections.create(workspaceId, body);
  }

  @Put('/v2/connections/:id')
  @Api({
    summary: 'Update a connection',
    area,
    access: 'write',
    params,
    headers: IfMatchHeader,
    body: UpdateConnectionBody,
    reply: ConnectionReply,
    etag: 'answer',
    errors: ['precondition_failed', 'conflict', 'unavailable'],
  })
  update(
    @Caller() { workspaceId }: Principal,
    @Param() { id }: IdPath,
    @Body() body: UpdateConnectionBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.connections.update(workspaceId, id, body, ifMatch);
  }

  @Delete('/v2/connections/:id')
  @Api({
    summary: 'Delete a connection',
    area,
    access: 'write',
    params,
    headers: IfMatchHeader,
    reply: z.void(),
    status: 204,
    errors: ['precondition_failed', 'unavailable'],
  })
  delete(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @IfMatch() ifMatch: string[] | undefined) {
    return this.connections.delete(workspaceId, id, ifMatch);
  }
}
