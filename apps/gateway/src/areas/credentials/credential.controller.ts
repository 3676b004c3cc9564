import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { CredentialAnswer, CredentialBody, CredentialList, CredentialPath } from './credential.schemas.js';
import { CredentialService } from './credential.service.js';

const common = { area: 'transformations', errors: ['unavailable', 'timeout'] } as const;
const params = CredentialPath;

/** Credentials that a workspace's code reads with `getCredential(key)`. Secret values go in and never come out. */
@Controller('v2/credentials')
export class CredentialController {
  constructor(private readonly credentials: CredentialService) {}

  @Get()
  @Api({ summary: 'List the credentials of the workspace, by key', ...common, access: 'read', reply: CredentialList })
  async list(@Caller() { workspaceId }: Principal) {
    return { credentials: await this.credentials.list(workspaceId) };
  }

  @Get(':key')
  @Api({ summary: 'One credential', ...common, access: 'read', params, reply: CredentialAnswer })
  async get(@Caller() { workspaceId }: Principal, @Param() { key }: CredentialPath) {
    return { credential: await this.credentials.get(workspaceId, key) };
  }

  @Put(':key')
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

  @Delete(':key')
  @Api({ summary: 'Delete a credential', ...common, access: 'write', params, status: 204, reply: z.void() })
  async remove(@Caller() { workspaceId }: Principal, @Param() { key }: CredentialPath) {
    await this.credentials.remove(workspaceId, key);
  }
}
