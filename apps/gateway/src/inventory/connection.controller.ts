import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { Caller, type Principal } from '../auth/principal.js';
import { Api } from '../http/api.js';
import { ConnectionList, ConnectionReply, CreateConnectionBody, UpdateConnectionBody } from './connection.schemas.js';
import { ConnectionService } from './connection.service.js';
import { ConnectionPath, ExternalIdPageQuery, type IdPath } from './paths.js';

const area = 'inventory';
const params = ConnectionPath;

@Controller('v2/connections')
export class ConnectionController {
  constructor(private readonly connections: ConnectionService) {}

  @Get()
  @Api({ summary: 'List connections', area, access: 'read', query: ExternalIdPageQuery, reply: ConnectionList })
  list(@Caller() { workspaceId }: Principal, @Query() query: ExternalIdPageQuery) {
    return this.connections.list(workspaceId, query);
  }

  @Get(':id')
  @Api({ summary: 'One connection', area, access: 'read', params, reply: ConnectionReply })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.connections.get(workspaceId, id);
  }

  @Post()
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

  @Put(':id')
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

  @Delete(':id')
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
