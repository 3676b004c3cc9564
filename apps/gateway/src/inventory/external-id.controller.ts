import { Body, Controller, Injectable, Param, Put } from '@nestjs/common';
import { AppError, notFound } from '@weir/contracts';
import { recordAct } from '../acts/acting.js';
import { Api } from '../http/api.js';
import { Caller, type Principal } from '../http/principal.js';
import type { InventoryEntity } from './inventory.entity.js';
import { ConnectionRepository, DestinationRepository } from './inventory.repositories.js';
import { ConnectionPath, DestinationPath, ExternalIdBody, ExternalIdReply, type IdPath } from './inventory.schemas.js';
import { InventoryWriter } from './inventory.writer.js';

/** The ids that other tools use. An id can be set once. Setting the same id again changes nothing. */
@Injectable()
export class ExternalIdService {
  constructor(
    private readonly writer: InventoryWriter,
    private readonly destinations: DestinationRepository,
    private readonly connections: ConnectionRepository,
  ) {}

  async ofDestination(workspaceId: string, { id, externalId }: ExternalIdReply): Promise<ExternalIdReply> {
    await this.writer.write(async (tx) => {
      const stored = await this.destinations.lock(tx, workspaceId, id, 'pessimistic_write');
      requireSettable('destination', stored, externalId);
      await this.destinations.update(tx, stored, { externalId });
      await recordAct(tx, { kind: 'destination', id });
    });
    return { id, externalId };
  }

  async ofConnection(workspaceId: string, { id, externalId }: ExternalIdReply): Promise<ExternalIdReply> {
    await this.writer.write(async (tx) => {
      const stored = await this.connections.lock(tx, workspaceId, id, 'pessimistic_write');
      requireSettable('connection', stored, externalId);
      await this.connections.update(tx, stored, { externalId });
      await recordAct(tx, { kind: 'connection', id });
    });
    return { id, externalId };
  }
}

function requireSettable<Row extends InventoryEntity>(
  kind: string,
  stored: Row | null,
  externalId: string,
): asserts stored is Row {
  if (!stored) throw notFound(kind);
  if (stored.externalId === null || stored.externalId === externalId) return;
  throw new AppError('conflict', `externalId is already set for this ${kind} and cannot be changed`);
}

const common = {
  area: 'inventory',
  access: 'write',
  body: ExternalIdBody,
  reply: ExternalIdReply,
  errors: ['conflict', 'unavailable'],
} as const;

@Controller()
export class ExternalIdController {
  constructor(private readonly externalIds: ExternalIdService) {}

  @Put('/v2/destinations/:id/external-id')
  @Api({ summary: 'Set the external id of a destination. It cannot change later', params: DestinationPath, ...common })
  ofDestination(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @Body() { externalId }: ExternalIdBody) {
    return this.externalIds.ofDestination(workspaceId, { id, externalId });
  }

  @Put('/v2/connections/:id/external-id')
  @Api({ summary: 'Set the external id of a connection. It cannot change later', params: ConnectionPath, ...common })
  ofConnection(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath, @Body() { externalId }: ExternalIdBody) {
    return this.externalIds.ofConnection(workspaceId, { id, externalId });
  }
}
