import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { AutoRollback, GetAutoRollback, SetAutoRollback, TRIAL_EVENTS } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { TransformationPath } from './transformation.schemas.js';

type Path = z.output<typeof TransformationPath>;

const AutoRollbackBody = AutoRollback.pick({ errorRate: true });

const common = {
  area: 'transformations',
  params: TransformationPath,
  reply: AutoRollback,
  errors: ['unavailable', 'timeout'],
} as const;

/** Area A: automatic rollback of new versions that fail on live events. */
@Controller('transformations/:id/auto-rollback')
export class AutoRollbackController {
  constructor(private readonly rpc: RpcClient) {}

  @Get()
  @Api({
    summary: 'Whether new versions that fail on live events are rolled back, and which were',
    access: 'read',
    ...common,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: Path) {
    return this.rpc.send(GetAutoRollback, { workspaceId, id });
  }

  @Put()
  @Api({
    summary: 'Roll back new versions that fail on too many of their first live events, or no longer',
    description:
      `A version that is published for the first time is on trial for its first ${TRIAL_EVENTS} events. As soon as its code has failed on ` +
      '`errorRate` of them, the version before is published again, when it passes the tests of a publish. One that was restored is ' +
      'not on trial again. `null` turns it off, which it is unless set; a change counts for versions that are published afterwards.',
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
