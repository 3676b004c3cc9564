import { Injectable } from '@nestjs/common';
import { invalidField, notFound } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import type { Viewer } from '../http/principal.js';
import type { Reply } from '../http/request.js';
import { DestinationCleanup } from './destination.cleanup.js';
import { DestinationConfig } from './destination.config.js';
import { type DestinationEntity, type IfMatchTags, requireMatch, tagOf } from './inventory.entity.js';
import { InventoryPages } from './inventory.pages.js';
import { ConnectionRepository, DestinationRepository } from './inventory.repositories.js';
import {
  type CreateDestinationBody,
  type CreateQuery,
  type Destination,
  type DestinationList,
  type DestinationReply,
  type ExternalIdPageQuery,
  type UpdateDestinationBody,
} from './inventory.schemas.js';
import { InventoryWriter } from './inventory.writer.js';
import { LinkService } from './link.service.js';

@Injectable()
export class DestinationService {
  constructor(
    private readonly pages: InventoryPages,
    private readonly destinations: DestinationRepository,
    private readonly connections: ConnectionRepository,
    private readonly configs: DestinationConfig,
    private readonly writer: InventoryWriter,
    private readonly cleanup: DestinationCleanup,
    private readonly links: LinkService,
  ) {}

  list(viewer: Viewer, query: ExternalIdPageQuery, reply: Reply): Promise<DestinationList> {
    const { workspaceId } = viewer;
    return this.pages.answer(this.destinations, { workspaceId, query, reply }, (row) => this.shown(row, viewer));
  }

  async get(viewer: Viewer, id: string): Promise<DestinationReply> {
    const { workspaceId } = viewer;
    const row = await this.destinations.find(workspaceId, id);
    if (!row) throw notFound('destination');
    const transformationId = await this.links.transformationOf(workspaceId, id);
    const transformation = transformationId && { transformation: { id: transformationId } };
    return { destination: { ...(await this.shown(row, viewer)), transformationId, ...transformation } };
  }

  async create(viewer: Viewer, body: CreateDestinationBody, { uniqueName }: CreateQuery): Promise<DestinationReply> {
    const { workspaceId } = viewer;
    const id = newKsuid();
    const sealed = await this.configs.seal({ id, workspaceId, type: body.type }, body.config);
    const row = await this.writer.write(async (tx, tell) => {
      const { name, type, enabled, externalId } = body;
      if (uniqueName) await this.destinations.requireFreeName(tx, { workspaceId, name });
      const inserted = await this.destinations.insert(tx, {
        ...{ id, workspaceId, name, type, enabled, ...sealed },
        externalId: externalId || null,
      });
      await tell('destination', id);
      return inserted;
    });
    return { destination: await this.shown(row, viewer) };
  }

  async update(
    viewer: Viewer,
    id: string,
    body: UpdateDestinationBody,
    ifMatch: IfMatchTags,
  ): Promise<DestinationReply> {
    const { workspaceId } = viewer;
    if (body.config) await this.configs.prepare();
    const row = await this.writer.write(async (tx, tell) => {
      const stored = await this.destinations.lock(tx, workspaceId, id, 'pessimistic_write');
      if (!stored) throw notFound('destination');
      requireMatch('destination', stored, ifMatch);
      const updated = await this.destinations.update(tx, stored, await this.changesOf(stored, body));
      await tell('destination', id);
      return updated;
    });
    return { destination: await this.shown(row, viewer) };
  }

  /** Also deletes its connections. `destination.cleanup.ts` removes its link and deletion tasks. */
  async delete(workspaceId: string, id: string, ifMatch: IfMatchTags): Promise<void> {
    await this.writer.write(async (tx, tell) => {
      const stored = await this.destinations.lock(tx, workspaceId, id, 'pessimistic_write');
      if (!stored) throw notFound('destination');
      requireMatch('destination', stored, ifMatch);
      const connectionIds = await this.connections.removeOf(tx, workspaceId, { destinationId: id });
      await this.destinations.remove(tx, workspaceId, id);
      await this.cleanup.add(tx, { workspaceId, destinationId: id });
      for (const connectionId of connectionIds) await tell('connection', connectionId);
      await tell('destination', id);
    });
    await this.cleanup.runDue();
  }

  private async changesOf(stored: DestinationEntity, { name, type, enabled, config }: UpdateDestinationBody) {
    if (type !== undefined && type !== stored.type) throw invalidField('type', 'cannot be changed');
    const sealed = config && (await this.configs.seal(stored, config, this.configs.open(stored)));
    return { name, enabled, ...sealed };
  }

  private async shown(row: DestinationEntity, viewer: Viewer): Promise<Destination> {
    const { id, name, type, enabled, isComplete, externalId, workspaceId, createdAt, updatedAt } = row;
    const { config, missing } = await this.configs.show(row, viewer);
    const status = enabled ? 'ready' : 'disabled';
    return {
      ...{ id, name, type, enabled },
      ...(isComplete ? { status } : { status: 'incomplete', missing }),
      config,
      version: 1,
      ...(externalId !== null && { externalId }),
      workspaceId,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      etag: tagOf(row),
    };
  }
}
