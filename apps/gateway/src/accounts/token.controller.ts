import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { pathId } from '../http/fields.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  AdminTokensQuery,
  CreatedToken,
  CreateOwnTokenBody,
  CreateTokenBody,
  TokenList,
  TokensQuery,
} from './account.schemas.js';
import { TokenService } from './token.service.js';

const TokenPath = z.object({ id: pathId('access token') });

/** Tokens of the caller's own workspace, for its admins. */
@Controller()
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @Post('/v2/access-tokens')
  @Api({
    summary: 'Create an access token for this workspace. Only this answer shows it',
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

  @Get('/v2/access-tokens')
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

  @Delete('/v2/access-tokens/:id')
  @Api({
    summary: 'Revoke an access token at once',
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

/** Tokens of any workspace, for the operator. */
@Controller()
export class AdminTokenController {
  constructor(private readonly tokens: TokenService) {}

  @Post('/admin/access-tokens')
  @Api({
    summary: 'Create an access token for any workspace. Only this answer shows it',
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

  @Get('/admin/access-tokens')
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

  @Delete('/admin/access-tokens/:id')
  @Api({
    summary: 'Revoke an access token of any workspace at once',
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
