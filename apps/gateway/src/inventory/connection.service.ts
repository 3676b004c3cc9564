import { Injectable } from '@nestjs/common';
import { notFound, unknownId } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { pagingOf } from '../http/fields.js';
import { ConnectionRepository, type ConnectionRow } from './connection.repository.js';
import type {
  Connection,
  ConnectionList,
  ConnectionReply,
  CreateConnectionBody,
  UpdateConnectionBody,
} from './connection.schemas.js';
import { DestinationRepository } from './destination.repository.js';
import { given } from './given.js';
import { InventoryWriter } from './inventory.writer.js';
import { type ExternalIdPageQuery, filtersOf } from './paths.js';
import { SourceRepository } from './source.repository.js';
import { connectionExists } from './unique.js';

type Ends = Pick<ConnectionRow, 'sourceId' | 'destinationId'>;

@Injectable()
export class ConnectionService {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly sources: SourceRepository,
    private readonly destinations: DestinationRepository,
    private readonly writer: InventoryWriter,
  ) {}

  async list(workspaceId: string, query: ExternalIdPageQuery): Promise<ConnectionList> {
    const { rows, total } = await this.connections.list(workspaceId, query);
    return {
      connections: rows.map(shown),
      paging: pagingOf('/v2/connections', query.page, total, filtersOf(query)),
    };
  }

  async get(workspaceId: string, id: string): Promise<ConnectionReply> {
    const row = await this.connections.find(workspaceId, id);
    if (!row) throw notFound('connection');
    return { connection: shown(row) };
  }

  /** Answers an existing connection unchanged. If the request also sets an external id, that is a conflict (wire-facts 5). */
  create(workspaceId: string, body: CreateConnectionBody): Promise<ConnectionReply> {
    return this.writer.write(async (sql, tell) => {
      await this.requireEnds(sql, workspaceId, body);
      const existing = await this.connections.findPair(sql, workspaceId, body);
      if (existing && body.externalId) throw connectionExists();
      if (existing) return { connection: shown(existing) };
      const externalId = body.externalId || null;
      const row = await this.connections.insert(sql, workspaceId, { ...body, id: newKsuid(), externalId });
      await tell('connection', row.id);
      return { connection: shown(row) };
    });
  }

  update(workspaceId: string, id: string, body: UpdateConnectionBody): Promise<ConnectionReply> {
    return this.writer.write(async (sql, tell) => {
      const stored = await this.connections.lock(sql, workspaceId, id);
      if (!stored) throw notFound('connection');
      const next = { ...stored, ...given(body) };
      await this.requireEnds(sql, workspaceId, next);
      const row = await this.connections.update(sql, workspaceId, id, next);
      await tell('connection', id);
      return { connection: shown(row) };
    });
  }

  delete(workspaceId: string, id: string): Promise<void> {
    return this.writer.write(async (sql, tell) => {
      if (!(await this.connections.remove(sql, workspaceId, id))) throw notFound('connection');
      await tell('connection', id);
    });
  }

  /** Checks that both ends belong to this workspace, and locks them until the transaction ends. */
  private async requireEnds(sql: Sql, workspaceId: string, { sourceId, destinationId }: Ends): Promise<void> {
    if (!(await this.sources.lock(sql, workspaceId, sourceId, 'key share'))) {
      throw unknownId('sourceId', 'source', sourceId);
    }
    if (!(await this.destinations.lock(sql, workspaceId, destinationId, 'key share'))) {
      throw unknownId('destinationId', 'destination', destinationId);
    }
  }
}

const shown = ({ externalId, createdAt, updatedAt, ...rest }: ConnectionRow): Connection => ({
  ...rest,
  ...(externalId !== null && { externalId }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
