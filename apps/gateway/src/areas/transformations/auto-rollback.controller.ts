import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { AutoRollback, GetAutoRollback, SetAutoRollback, TRIAL_EVENTS } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import { Api } from '../../http/api.js';
import { Caller, type Principal } from '../../http/principal.js';
import { TransformationPath } from './revision.schemas.js';

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
