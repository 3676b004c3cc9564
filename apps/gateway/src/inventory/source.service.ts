import { Injectable } from '@nestjs/common';
import { AppError, invalidField, notFound, type Role } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { listed } from '../http/entity-tag.js';
import { pagingOf } from '../http/lists.js';
import { requireRole } from '../http/roles.js';
import type { SourceEntity } from './inventory.entity.js';
import { ConnectionRepository, SourceRepository } from './inventory.repositories.js';
import {
  type CreateQuery,
  type CreateSourceBody,
  keptByPages,
  type PageQuery,
  type Source,
  type SourceList,
  type SourceReply,
  type UpdateSourceBody,
} from './inventory.schemas.js';
import { type IfMatchTags, requireMatch, tagOf } from './inventory.tag.js';
import { InventoryWriter, writeKeyTaken } from './inventory.writer.js';

/** Who creates a source. */
interface Owner {
  workspaceId: string;
  role: Role;
}

@Injectable()
export class SourceService {
  constructor(
    private readonly sources: SourceRepository,
    private readonly connections: ConnectionRepository,
    private readonly writer: InventoryWriter,
  ) {}

  async list(workspaceId: string, query: PageQuery): Promise<SourceList> {
    const { rows, total } = await this.sources.list(workspaceId, query);
    return {
      sources: listed(rows.map(shown), query.etags),
      paging: pagingOf('/v2/sources', query.page, total, keptByPages(query)),
    };
  }

  async get(workspaceId: string, id: string): Promise<SourceReply> {
    return reply(await this.sources.find(workspaceId, id));
  }

  /** A chosen write key is for admins: whoever holds the key of a site receives what the site sends. */
  create(
    { workspaceId, role }: Owner,
    { writeKey, ...body }: CreateSourceBody,
    { uniqueName }: CreateQuery,
  ): Promise<SourceReply> {
    if (writeKey !== undefined) requireRole(role, 'inventory', 'tokens', 'Choosing a writeKey needs');
    const source = { ...body, workspaceId, id: newKsuid(), writeKey: writeKey ?? newKsuid(), externalId: null };
    return this.writer.write(async (tx, tell) => {
      if (uniqueName) await this.sources.requireFreeName(tx, source);
      const row = await this.sources.insert(tx, source);
      if (writeKey !== undefined && (await this.sources.wasOfOthers(tx, row))) throw writeKeyTaken();
      await tell('source', row.id);
      return reply(row);
    });
  }

  update(
    workspaceId: string,
    id: string,
    { type, ...settings }: UpdateSourceBody,
    ifMatch: IfMatchTags,
  ): Promise<SourceReply> {
    return this.writer.write(async (tx, tell) => {
      const stored = await this.sources.lock(tx, workspaceId, id, 'pessimistic_write');
      if (!stored) throw notFound('source');
      requireMatch('source', stored, ifMatch);
      if (type !== undefined && type !== stored.type) throw invalidField('type', 'cannot be changed');
      refuseUnlessAtRest(stored, settings);
      const row = await this.sources.update(tx, stored, settings);
      await tell('source', id);
      return reply(row);
    });
  }

  /** Also deletes its connections. */
  delete(workspaceId: string, id: string, ifMatch: IfMatchTags): Promise<void> {
    return this.writer.write(async (tx, tell) => {
      const stored = await this.sources.lock(tx, workspaceId, id, 'pessimistic_write');
      if (!stored) throw notFound('source');
      requireMatch('source', stored, ifMatch);
      const connectionIds = await this.connections.removeOf(tx, workspaceId, { sourceId: id });
      await this.sources.remove(tx, workspaceId, id);
      await this.sources.keepWriteKey(tx, stored);
      for (const connectionId of connectionIds) await tell('connection', connectionId);
      await tell('source', id);
    });
  }
}

const NOT_AT_REST =
  'partitions can change only while the source is disabled: disable it, wait until its events are delivered, change partitions, enable it again';

/** A user's events would go through two partitions at once, and the later ones could arrive first. */
function refuseUnlessAtRest(stored: SourceEntity, { partitions = stored.partitions }: UpdateSourceBody): void {
  if (partitions !== stored.partitions && stored.enabled) throw new AppError('conflict', NOT_AT_REST);
}

function reply(row: SourceEntity | undefined): SourceReply {
  if (!row) throw notFound('source');
  return { source: shown(row) };
}

const shown = ({ externalId: _, createdAt, updatedAt, ...rest }: SourceEntity): Source => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  etag: tagOf({ id: rest.id, updatedAt }),
});
