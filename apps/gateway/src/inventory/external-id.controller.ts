import { Body, Controller, Param, Put } from '@nestjs/common';
import { Caller, type Principal } from '../auth/principal.js';
import { Api } from '../http/api.js';
import { ExternalIdService } from './external-id.service.js';
import { ConnectionPath, DestinationPath, ExternalIdBody, ExternalIdReply, type IdPath } from './paths.js';

const common = {
  area: 'inventory',
  access: 'write',
  body: ExternalIdBody,
  reply: ExternalIdReply,
  errors: ['conflict', 'unavailable'],
} as const;

@Controller('v2')
export class ExternalIdController {
  constructor(private readonly externalIds: ExternalIdService) {}

  @Put('destinations/:id/external-id')
  @Api({ summary: 'Give a destination its external id, once', params: DestinationPath, ...common })
  ofDestination(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @Body() { externalId }: ExternalIdBody) {
    return this.externalIds.set('destination', workspaceId, { id, externalId });
  }

  @Put('connections/:id/external-id')
  @Api({ summary: 'Give a connection its external id, once', params: ConnectionPath, ...common })
  ofConnection(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @Body() { externalId }: ExternalIdBody) {
    return this.externalIds.set('connection', workspaceId, { id, externalId });
  }
}
