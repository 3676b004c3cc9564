import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { Caller, type Principal } from '../auth/principal.js';
import { Api } from '../http/api.js';
import { pathId } from '../http/fields.js';
import { CreatedToken, CreateOwnTokenBody, TokenList, TokensQuery } from './token.schemas.js';
import { TokenService } from './token.service.js';

const TokenPath = z.object({ id: pathId('access token') });

/** Tokens of the caller's own workspace, for its admins. */
@Controller('v2/access-tokens')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @Post()
  @Api({
    summary: 'Create an access token of this workspace; it is shown this once',
    area: 'inventory',
    access: 'tokens',
    body: CreateOwnTokenBody,
    reply: CreatedToken,
    status: 201,
    errors: ['conflict'],
  })
  create(@Caller() { workspaceId, email }: Principal, @Body() body: CreateOwnTokenBody) {
    return this.tokens.create({ ...body, workspaceId, email: body.email ?? email });
  }

  @Get()
  @Api({
    summary: 'List the access tokens of this workspace',
    area: 'inventory',
    access: 'tokens',
    query: TokensQuery,
    reply: TokenList,
  })
  list(@Caller() { workspaceId }: Principal, @Query() { page }: z.output<typeof TokensQuery>) {
    return this.tokens.list(workspaceId, page, '/v2/access-tokens');
  }

  @Delete(':id')
  @Api({
    summary: 'Revoke an access token; it ends at once',
    area: 'inventory',
    access: 'tokens',
    params: TokenPath,
    reply: z.void(),
    status: 204,
  })
  revoke(@Caller() { workspaceId }: Principal, @Param() { id }: z.output<typeof TokenPath>) {
    return this.tokens.revoke(workspaceId, id);
  }
}
