import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { pathId } from '../http/fields.js';
import { AdminTokensQuery, CreatedToken, CreateTokenBody, TokenList } from './token.schemas.js';
import { TokenService } from './token.service.js';

const TokenPath = z.object({ id: pathId('access token') });

/** Tokens of any workspace, for the operator. */
@Controller('admin/access-tokens')
export class AdminTokenController {
  constructor(private readonly tokens: TokenService) {}

  @Post()
  @Api({
    summary: 'Create an access token of any workspace; it is shown this once',
    area: 'admin',
    access: 'write',
    body: CreateTokenBody,
    reply: CreatedToken,
    status: 201,
    errors: ['conflict'],
  })
  create(@Body() body: CreateTokenBody) {
    return this.tokens.create(body);
  }

  @Get()
  @Api({
    summary: 'List the access tokens of a workspace',
    area: 'admin',
    access: 'read',
    query: AdminTokensQuery,
    reply: TokenList,
  })
  list(@Query() { workspaceId, page }: z.output<typeof AdminTokensQuery>) {
    return this.tokens.list(workspaceId, page, '/admin/access-tokens', { workspaceId });
  }

  @Delete(':id')
  @Api({
    summary: 'Revoke an access token of any workspace; it ends at once',
    area: 'admin',
    access: 'write',
    params: TokenPath,
    reply: z.void(),
    status: 204,
  })
  revoke(@Param() { id }: z.output<typeof TokenPath>) {
    return this.tokens.revoke(null, id);
  }
}
