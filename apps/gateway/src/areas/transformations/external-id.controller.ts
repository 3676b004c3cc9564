import { Body, Controller, Param, Put } from '@nestjs/common';
import { SetExternalId } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { optionalText } from '../../http/fields.js';
import { Caller, type Principal } from '../../http/principal.js';
import { LibraryPath, TransformationPath } from './revision.schemas.js';

/** An empty id ends outside management (wire-facts 1.10). */
const ExternalIdBody = z
  .object({ externalId: optionalText })
  .meta({ id: 'SetCodeExternalId', examples: [{ externalId: 'mark-checked' }] });
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

  @Put('/transformations/:id/external-id')
  @Api({ summary: 'Set the external id of a transformation', params: TransformationPath, ...common })
  ofTransformation(
    @Caller() { workspaceId }: Principal,
    @Param() { id }: z.output<typeof TransformationPath>,
    @Body() { externalId }: ExternalIdBody,
  ) {
    return this.rpc.send(SetExternalId, { workspaceId, kind: 'transformation', id, externalId });
  }

  @Put('/libraries/:id/external-id')
  @Api({ summary: 'Set the external id of a library', params: LibraryPath, ...common })
  ofLibrary(
    @Caller() { workspaceId }: Principal,
    @Param() { id }: z.output<typeof LibraryPath>,
    @Body() { externalId }: ExternalIdBody,
  ) {
    return this.rpc.send(SetExternalId, { workspaceId, kind: 'library', id, externalId });
  }
}
