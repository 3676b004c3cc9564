import { Body, Controller, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { RollbackTransformation, ValidationOutput } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../../http/entity-tag.js';
import { Caller, type Principal } from '../../http/principal.js';
import { CredentialService } from '../credentials/credential.service.js';
import { versionIdOf } from './release.schemas.js';
import { ReplayService } from './replay.service.js';
import { ReplayQuery, ShownTransformation, TransformationPath } from './revision.schemas.js';

const RollbackBody = z
  .object({ versionId: z.string() })
  .meta({ id: 'RollbackRequest', examples: [{ versionId: '2nVbmVzvVS3oSZWHUWDq4pRdEWT' }] });
const RolledBack = ShownTransformation.extend({ validationOutput: ValidationOutput });

/** Area A: returns to an earlier revision. */
@Controller()
@UseInterceptors(EntityTagInterceptor)
export class RollbackController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly replays: ReplayService,
    private readonly credentials: CredentialService,
  ) {}

  @Post('/transformations/:id/rollback')
  @Api({
    summary: 'Make an earlier revision live again if it passes the tests of a publish',
    area: 'transformations',
    access: 'write',
    params: TransformationPath,
    query: ReplayQuery,
    headers: IfMatchHeader,
    body: RollbackBody,
    reply: RolledBack,
    etag: 'answer',
    errors: ['tests_failed', 'conflict', 'precondition_failed', 'too_large', 'unavailable', 'timeout'],
  })
  async rollback(
    @Caller() caller: Principal,
    @Param() { id }: z.output<typeof TransformationPath>,
    @Query() { replaySamples }: ReplayQuery,
    @Body() body: z.output<typeof RollbackBody>,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    const { workspaceId, email: createdBy } = caller;
    const versionId = versionIdOf(body.versionId);
    const samples = await this.replays.ofVersion(workspaceId, versionId, replaySamples);
    const reach = await this.credentials.reachOf(caller);
    const request = { workspaceId, createdBy, id, versionId, ifMatch, samples, ...reach };
    return this.rpc.send(RollbackTransformation, request);
  }
}
