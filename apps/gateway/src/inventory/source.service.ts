import { Injectable } from '@nestjs/common';
import { invalidField, notFound } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { pagingOf } from '../http/fields.js';
import { ConnectionRepository } from './connection.repository.js';
import { given } from './given.js';
import { InventoryWriter } from './inventory.writer.js';
import { SourceRepository, type SourceRow } from './source.repository.js';
import type { CreateSourceBody, Source, SourceList, SourceReply, UpdateSourceBody } from './source.schemas.js';

@Injectable()
export class SourceService {
  constructor(
    private readonly sources: SourceRepository,
    private readonly connections: ConnectionRepository,
    private readonly writer: InventoryWriter,
  ) {}

  async list(workspaceId: string, page: number): Promise<SourceList> {
    const { rows, total } = await this.sources.list(workspaceId, { page });
    return { sources: rows.map(shown), paging: pagingOf('/v2/sources', page, total) };
  }

  async get(workspaceId: string, id: string): Promise<SourceReply> {
    return reply(await this.sources.find(workspaceId, id));
  }

  create(workspaceId: string, body: CreateSourceBody): Promise<SourceReply> {
    const source = { ...body, id: newKsuid(), writeKey: newKsuid() };
    return this.writer.write(async (sql, tell) => {
      const row = await this.sources.insert(sql, workspaceId, source);
      await tell('source', row.id);
      return reply(row);
    });
  }

  update(workspaceId: string, id: string, { type, ...settings }: UpdateSourceBody): Promise<SourceReply> {
    return this.writer.write(async (sql, tell) => {
      const stored = await this.sources.lock(sql, workspaceId, id, 'update');
      if (!stored) throw notFound('source');
      if (type !== undefined && type !== stored.type) throw invalidField('type', 'cannot be changed');
      const row = await this.sources.update(sql, workspaceId, id, { ...stored, ...given(settings) });
      await tell('source', id);
      return reply(row);
    });
  }

  /** Also deletes its connections. */
  delete(workspaceId: string, id: string): Promise<void> {
    return this.writer.write(async (sql, tell) => {
      if (!(await this.sources.lock(sql, workspaceId, id, 'update'))) throw notFound('source');
      const connectionIds = await this.connections.removeOf(sql, workspaceId, { sourceId: id });
      await this.sources.remove(sql, workspaceId, id);
      for (const connectionId of connectionIds) await tell('connection', connectionId);
      await tell('source', id);
    });
  }
}

function reply(row: SourceRow | undefined): SourceReply {
  if (!row) throw notFound('source');
  return { source: shown(row) };
}

const shown = ({ createdAt, updatedAt, ...rest }: SourceRow): Source => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
