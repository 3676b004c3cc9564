import { Body, Controller, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import {
  AutoRollback,
  GetAutoRollback,
  RollbackTransformation,
  SetAutoRollback,
  TRIAL_EVENTS,
  ValidationOutput,
} from '@weir/contracts';
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

type Path = z.output<typeof TransformationPath>;

const AutoRollbackBody = AutoRollback.pick({ errorRate: true }).meta({
  id: 'SetAutoRollback',
  examples: [{ errorRate: 0.1 }],
});

const common = {
  area: 'transformations',
  params: TransformationPath,
  reply: AutoRollback,
  errors: ['unavailable', 'timeout'],
} as const;

/** Area A: automatic rollback of new versions that fail on live events. */
@Controller()
export class AutoRollbackController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('/transformations/:id/auto-rollback')
  @Api({
    summary: 'Get the setting of automatic rollback, and the versions that it rolled back',
    access: 'read',
    ...common,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: Path) {
    return this.rpc.send(GetAutoRollback, { workspaceId, id });
  }

  @Put('/transformations/:id/auto-rollback')
  @Api({
    summary: 'Turn automatic rollback of failing new versions on or off',
    description:
      `The first ${TRIAL_EVENTS} events of a newly published version are its trial. If the code fails on a share of \`errorRate\` of ` +
      'them, Weir publishes the previous version again, provided that it passes the tests of a publish. A restored version ' +
      'has no second trial. `null` turns automatic rollback off, which is the default. A change applies to versions that are ' +
      'published later.',
    access: 'write',
    body: AutoRollbackBody,
    ...common,
  })
  set(
    @Caller() { workspaceId }: Principal,
    @Param() { id }: Path,
    @Body() { errorRate }: z.output<typeof AutoRollbackBody>,
  ) {
    return this.rpc.send(SetAutoRollback, { workspaceId, id, errorRate });
  }
}
