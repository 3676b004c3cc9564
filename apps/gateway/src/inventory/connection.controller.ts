import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { Caller, type Principal } from '../http/principal.js';
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
export class ConnectionController {
  constructor(private readonly connections: ConnectionService) {}

  @Get('/v2/connections')
  @Api({ summary: 'List connections', area, access: 'read', query: ExternalIdPageQuery, reply: ConnectionList })
  list(@Caller() { workspaceId }: Principal, @Query() query: ExternalIdPageQuery) {
    return this.connections.list(workspaceId, query);
  }

  @Get('/v2/connections/:id')
  @Api({ summary: 'Get a connection', area, access: 'read', params, reply: ConnectionReply })
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
    body: UpdateConnectionBody,
    reply: ConnectionReply,
    errors: ['conflict', 'unavailable'],
  })
  update(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @Body() body: UpdateConnectionBody) {
    return this.connections.update(workspaceId, id, body);
  }

  @Delete('/v2/connections/:id')
  @Api({
    summary: 'Delete a connection',
    area,
    access: 'write',
    params,
    reply: z.void(),
    status: 204,
    errors: ['unavailable'],
  })
  delete(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.connections.delete(workspaceId, id);
  }
}
