import { Injectable } from '@nestjs/common';
import { notFound, unknownId } from '@weir/contracts';
import { newKsuid, type Transaction } from '@weir/service-kit';
import type { Reply } from '../http/request.js';
import { type ConnectionEntity, type IfMatchTags, requireMatch, tagOf } from './inventory.entity.js';
import { InventoryPages } from './inventory.pages.js';
import { ConnectionRepository, DestinationRepository, SourceRepository } from './inventory.repositories.js';
import {
  type Connection,
  type ConnectionList,
  type ConnectionReply,
  type CreateConnectionBody,
  type ExternalIdPageQuery,
  type UpdateConnectionBody,
} from './inventory.schemas.js';
import { connectionExists, InventoryWriter } from './inventory.writer.js';

type Ends = Pick<ConnectionEntity, 'sourceId' | 'destinationId'>;

@Injectable()
export class ConnectionService {
  constructor(
    private readonly pages: InventoryPages,
    private readonly connections: ConnectionRepository,
    private readonly sources: SourceRepository,
    private readonly destinations: DestinationRepository,
    private readonly writer: InventoryWriter,
  ) {}

  list(workspaceId: string, query: ExternalIdPageQuery, reply: Reply): Promise<ConnectionList> {
    return this.pages.answer(this.connections, { workspaceId, query, reply }, shown);
  }

  async get(workspaceId: string, id: string): Promise<ConnectionReply> {
    const row = await this.connections.find(workspaceId, id);
    if (!row) throw notFound('connection');
    return { connection: shown(row) };
  }

  /** Answers an existing connection unchanged. If the request also sets an external id, that is a conflict (wire-facts 5). */
  create(workspaceId: string, body: CreateConnectionBody): Promise<ConnectionReply> {
    return this.writer.write(async (tx, tell) => {
      await this.requireEnds(tx, workspaceId, body);
      const existing = await this.connections.findPair(tx, workspaceId, body);
      if (existing && body.externalId) throw connectionExists();
      if (existing) return { connection: shown(existing) };
      const externalId = body.externalId || null;
      const row = await this.connections.insert(tx, { ...body, workspaceId, id: newKsuid(), externalId });
      await tell('connection', row.id);
      return { connection: shown(row) };
    });
  }

  update(workspaceId: string, id: string, body: UpdateConnectionBody, ifMatch: IfMatchTags): Promise<ConnectionReply> {
    return this.writer.write(async (tx, tell) => {
      const stored = await this.connections.lock(tx, workspaceId, id, 'pessimistic_write');
      if (!stored) throw notFound('connection');
      requireMatch('connection', stored, ifMatch);
      const { sourceId = stored.sourceId, destinationId = stored.destinationId } = body;
      await this.requireEnds(tx, workspaceId, { sourceId, destinationId });
      const row = await this.connections.update(tx, stored, body);
      await tell('connection', id);
      return { connection: shown(row) };
    });
  }

  delete(workspaceId: string, id: string, ifMatch: IfMatchTags): Promise<void> {
    return this.writer.write(async (tx, tell) => {
      const stored = await this.connections.lock(tx, workspaceId, id, 'pessimistic_write');
      if (!stored) throw notFound('connection');
      requireMatch('connection', stored, ifMatch);
      await this.connections.remove(tx, workspaceId, id);
      await tell('connection', id);
    });
  }

  /** Checks that both ends belong to this workspace, and locks them until the transaction ends. */
  private async requireEnds(tx: Transaction, workspaceId: string, { sourceId, destinationId }: Ends): Promise<void> {
    if (!(await this.sources.lock(tx, workspaceId, sourceId, 'for_key_share'))) {
      throw unknownId('sourceId', 'source', sourceId);
    }
    if (!(await this.destinations.lock(tx, workspaceId, destinationId, 'for_key_share'))) {
      throw unknownId('destinationId', 'destination', destinationId);
    }
  }
}

const shown = ({ externalId, createdAt, updatedAt, ...rest }: ConnectionEntity): Connection => ({
  ...rest,
  ...(externalId !== null && { externalId }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  etag: tagOf({ id: rest.id, updatedAt }),
});
