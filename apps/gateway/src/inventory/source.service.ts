import { Injectable } from '@nestjs/common';
import { AppError, invalidField, MASK, notFound } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import type { Viewer } from '../http/principal.js';
import type { Reply } from '../http/request.js';
import { requireRole } from '../http/roles.js';
import { type IfMatchTags, requireMatch, type SourceEntity, tagOf } from './inventory.entity.js';
import { InventoryPages } from './inventory.pages.js';
import { ConnectionRepository, SourceRepository } from './inventory.repositories.js';
import {
  type CreateQuery,
  type CreateSourceBody,
  type PageQuery,
  type Source,
  type SourceList,
  type SourceReply,
  type UpdateSourceBody,
  type WriteKeyReply,
} from './inventory.schemas.js';
import { InventoryWriter, writeKeyTaken } from './inventory.writer.js';

@Injectable()
export class SourceService {
  constructor(
    private readonly pages: InventoryPages,
    private readonly sources: SourceRepository,
    private readonly connections: ConnectionRepository,
    private readonly writer: InventoryWriter,
  ) {}

  list(viewer: Viewer, query: PageQuery, reply: Reply): Promise<SourceList> {
    const { workspaceId } = viewer;
    return this.pages.answer(this.sources, { workspaceId, query, reply }, (row) => shown(row, viewer));
  }

  async get(viewer: Viewer, id: string): Promise<SourceReply> {
    return reply(await this.sources.find(viewer.workspaceId, id), viewer);
  }

  /** For the console, which has it in no other answer. */
  async writeKey({ workspaceId }: Viewer, id: string): Promise<WriteKeyReply> {
    const row = await this.sources.find(workspaceId, id);
    if (!row) throw notFound('source');
    return { writeKey: row.writeKey };
  }

  /** Only admins may choose a write key, because the source with the key of a site receives the events of that site. */
  create(viewer: Viewer, { writeKey, ...body }: CreateSourceBody, { uniqueName }: CreateQuery): Promise<SourceReply> {
    const { workspaceId, role } = viewer;
    if (writeKey !== undefined) requireRole(role, 'inventory', 'tokens', 'Choosing a writeKey needs');
    const source = { ...body, workspaceId, id: newKsuid(), writeKey: writeKey ?? newKsuid(), externalId: null };
    return this.writer.write(async (tx, tell) => {
      if (uniqueName) await this.sources.requireFreeName(tx, source);
      const row = await this.sources.insert(tx, source);
      if (writeKey !== undefined && (await this.sources.wasOfOthers(tx, row))) throw writeKeyTaken();
      await tell('source', row.id);
      return reply(row, viewer);
    });
  }

  update(
    viewer: Viewer,
    id: string,
    { type, ...settings }: UpdateSourceBody,
    ifMatch: IfMatchTags,
  ): Promise<SourceReply> {
    const { workspaceId } = viewer;
    return this.writer.write(async (tx, tell) => {
      const stored = await this.sources.lock(tx, workspaceId, id, 'pessimistic_write');
      if (!stored) throw notFound('source');
      requireMatch('source', stored, ifMatch);
      if (type !== undefined && type !== stored.type) throw invalidField('type', 'cannot be changed');
      refuseUnlessAtRest(stored, settings);
      const row = await this.sources.update(tx, stored, settings);
      await tell('source', id);
      return reply(row, viewer);
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

function reply(row: SourceEntity | undefined, viewer: Viewer): SourceReply {
  if (!row) throw notFound('source');
  return { source: shown(row, viewer) };
}

/** Tokens see write keys, which a migration needs. The page of the console asks for one at a time. */
const shown = (
  { externalId: _, createdAt, updatedAt, writeKey, ...rest }: SourceEntity,
  { sessionId }: Viewer,
): Source => ({
  ...rest,
  writeKey: sessionId === undefined ? writeKey : MASK,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  etag: tagOf({ id: rest.id, updatedAt }),
});
