import { Body, Controller, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { RollbackTransformation, Transformation, ValidationOutput } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../../http/entity-tag.js';
import { CredentialService } from '../credentials/credential.service.js';
import { versionIdOf } from './release.schemas.js';
import { ReplayService } from './replay.service.js';
import { ReplayQuery, TransformationPath } from './transformation.schemas.js';

const RollbackBody = z.object({ versionId: z.string() });
const RolledBack = Transformation.extend({ validationOutput: ValidationOutput });

/** Area A: returns to an earlier revision. */
@Controller('transformations')
@UseInterceptors(EntityTagInterceptor)
export class RollbackController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly replays: ReplayService,
    private readonly credentials: CredentialService,
  ) {}

  @Post(':id/rollback')
  @Api({
    summary: 'Make an earlier revision live again, when it passes the tests of a publish',
    area: 'transformations',
    access: 'write',
    params: TransformationPath,
    query: ReplayQuery,
    headers: IfMatchHeader,
    body: RollbackBody,
    reply: RolledBack,
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
    return this.rpc.send(RollbackTransformation, { workspaceId, createdBy, id, versionId, ifMatch, samples, ...reach });
  }
}
