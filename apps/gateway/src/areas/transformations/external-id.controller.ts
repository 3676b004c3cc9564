import { Body, Controller, Param, Put } from '@nestjs/common';
import { SetExternalId } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { optionalText } from '../../http/fields.js';
import { LIBRARY } from './library.schemas.js';
import { TransformationPath } from './transformation.schemas.js';

/** An empty id ends outside management (wire-facts 1.10). */
const ExternalIdBody = z.object({ externalId: optionalText });
type ExternalIdBody = z.output<typeof ExternalIdBody>;

const common = {
  area: 'transformations',
  access: 'write',
  body: ExternalIdBody,
  reply: z.object({}),
  errors: ['conflict', 'unavailable', 'timeout'],
} as const;

/** The id that an outside tool uses for a transformation or library (ruling 10). */
@Controller()
export class ExternalIdController {
  constructor(private readonly rpc: RpcClient) {}

  @Put('transformations/:id/external-id')
  @Api({ summary: 'Set the external id of a transformation', params: TransformationPath, ...common })
  ofTransformation(
    @Caller() { workspaceId }: Principal,
    @Param() { id }: z.output<typeof TransformationPath>,
    @Body() { externalId }: ExternalIdBody,
  ) {
    return this.rpc.send(SetExternalId, { workspaceId, kind: 'transformation', id, externalId });
  }

  @Put('libraries/:id/external-id')
  @Api({ summary: 'Set the external id of a library', params: LIBRARY.params, ...common })
  ofLibrary(
    @Caller() { workspaceId }: Principal,
    @Param() { id }: z.output<typeof LIBRARY.params>,
    @Body() { externalId }: ExternalIdBody,
  ) {
    return this.rpc.send(SetExternalId, { workspaceId, kind: 'library', id, externalId });
  }
}
