import { Body, Controller, Param, Post, UseInterceptors } from '@nestjs/common';
import { RollbackTransformation, Transformation, ValidationOutput } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch } from '../../http/entity-tag.js';
import { CredentialService } from '../credentials/credential.service.js';
import { versionIdOf } from './release.schemas.js';
import { TransformationPath } from './transformation.schemas.js';

const RollbackBody = z.object({ versionId: z.string() });
const RolledBack = Transformation.extend({ validationOutput: ValidationOutput });

/** Area A: back to an earlier revision. */
@Controller('transformations')
@UseInterceptors(EntityTagInterceptor)
export class RollbackController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly credentials: CredentialService,
  ) {}

  @Post(':id/rollback')
  @Api({
    summary: 'Make an earlier revision live again, when it passes the tests of a publish',
    area: 'transformations',
    access: 'write',
    params: TransformationPath,
    body: RollbackBody,
    reply: RolledBack,
    errors: ['tests_failed', 'conflict', 'precondition_failed', 'too_large', 'unavailable', 'timeout'],
  })
  async rollback(
    @Caller() { workspaceId, email }: Principal,
    @Param() { id }: z.output<typeof TransformationPath>,
    @Body() { versionId }: z.output<typeof RollbackBody>,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    const to = { id, versionId: versionIdOf(versionId), ifMatch };
    const credentials = await this.credentials.forTests(workspaceId);
    return this.rpc.send(RollbackTransformation, { workspaceId, createdBy: email, ...to, credentials });
  }
}
