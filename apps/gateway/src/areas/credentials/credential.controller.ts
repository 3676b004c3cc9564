import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { Caller, type Principal } from '../../http/principal.js';
import {
  CredentialAnswer,
  CredentialBody,
  CredentialList,
  CredentialPath,
  CredentialService,
} from './credential.service.js';

const common = { area: 'transformations', errors: ['unavailable', 'timeout'] } as const;
const params = CredentialPath;

/** Credentials that a workspace's code reads with `getCredential(key)`. Secret values go in and never come out. */
@Controller()
export class CredentialController {
  constructor(private readonly credentials: CredentialService) {}

  @Get('/v2/credentials')
  @Api({
    summary: 'List the credentials of the workspace in order of their keys',
    ...common,
    access: 'read',
    reply: CredentialList,
  })
  async list(@Caller() { workspaceId }: Principal) {
    return { credentials: await this.credentials.list(workspaceId) };
  }

  @Get('/v2/credentials/:key')
  @Api({ summary: 'Get a credential', ...common, access: 'read', params, reply: CredentialAnswer })
  async get(@Caller() { workspaceId }: Principal, @Param() { key }: CredentialPath) {
    return { credential: await this.credentials.get(workspaceId, key) };
  }

  @Put('/v2/credentials/:key')
  @Api({
    summary: 'Create or replace a credential',
    ...common,
    access: 'write',
    params,
    body: CredentialBody,
    reply: CredentialAnswer,
    errors: ['conflict', ...common.errors],
  })
  async put(@Caller() caller: Principal, @Param() { key }: CredentialPath, @Body() body: CredentialBody) {
    return { credential: await this.credentials.put(caller, key, body) };
  }

  @Delete('/v2/credentials/:key')
  @Api({ summary: 'Delete a credential', ...common, access: 'write', params, status: 204, reply: z.void() })
  async remove(@Caller() caller: Principal, @Param() { key }: CredentialPath) {
    await this.credentials.remove(caller, key);
  }
}
