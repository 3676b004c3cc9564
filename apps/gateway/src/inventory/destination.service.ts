import { Injectable } from '@nestjs/common';
import { invalidField, notFound, type Role } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { pagingOf } from '../http/fields.js';
import { ConnectionRepository } from './connection.repository.js';
import { DestinationCleanup } from './destination.cleanup.js';
import { DestinationConfig } from './destination.config.js';
import { DestinationRepository, type DestinationRow } from './destination.repository.js';
import type {
  CreateDestinationBody,
  Destination,
  DestinationList,
  DestinationReply,
  UpdateDestinationBody,
} from './destination.schemas.js';
import { InventoryWriter } from './inventory.writer.js';
import { LinkService } from './link.service.js';
import { type ExternalIdPageQuery, filtersOf } from './paths.js';

/** The caller's workspace, and the role that decides which secrets it sees. */
export interface Viewer {
  workspaceId: string;
  role: Role;
}

@Injectable()
export class DestinationService {
  constructor(
    private readonly destinations: DestinationRepository,
    private readonly connections: ConnectionRepository,
    private readonly configs: DestinationConfig,
    private readonly writer: InventoryWriter,
    private readonly cleanup: DestinationCleanup,
    private readonly links: LinkService,
  ) {}

  async list({ workspaceId, role }: Viewer, query: ExternalIdPageQuery): Promise<DestinationList> {
    const { rows, total } = await this.destinations.list(workspaceId, query);
    const shown = await Promise.all(rows.map((row) => this.shown(row, role)));
    return { destinations: shown, paging: pagingOf('/v2/destinations', query.page, total, filtersOf(query)) };
  }

  async get({ workspaceId, role }: Viewer, id: string): Promise<DestinationReply> {
    const row = await this.destinations.find(workspaceId, id);
    if (!row) throw notFound('destination');
    const transformationId = await this.links.transformationOf(workspaceId, id);
    return { destination: { ...(await this.shown(row, role)), transformationId } };
  }

  async create({ workspaceId, role }: Viewer, body: CreateDestinationBody): Promise<DestinationReply> {
    const id = newKsuid();
    const sealedConfig = await this.configs.seal({ id, workspaceId, type: body.type }, body.config);
    const row = await this.writer.write(async (sql, tell) => {
      const { name, type, enabled, externalId } = body;
      const inserted = await this.destinations.insert(sql, workspaceId, {
        ...{ id, name, type, enabled, sealedConfig },
        externalId: externalId || null,
      });
      await tell('destination', id);
      return inserted;
    });
    return { destination: await this.shown(row, role) };
  }

  async update({ workspaceId, role }: Viewer, id: string, body: UpdateDestinationBody): Promise<DestinationReply> {
    if (body.config) await this.configs.prepare();
    const row = await this.writer.write(async (sql, tell) => {
      const stored = await this.destinations.lock(sql, workspaceId, id, 'update');
      if (!stored) throw notFound('destination');
      const updated = await this.destinations.update(sql, workspaceId, id, await this.changed(stored, body));
      await tell('destination', id);
      return updated;
    });
    return { destination: await this.shown(row, role) };
  }

  /** Also deletes its connections. `destination.cleanup.ts` removes its link and deletion tasks. */
  async delete(workspaceId: string, id: string): Promise<void> {
    await this.writer.write(async (sql, tell) => {
      if (!(await this.destinations.lock(sql, workspaceId, id, 'update'))) throw notFound('destination');
      const connectionIds = await this.connections.removeOf(sql, workspaceId, { destinationId: id });
      await this.destinations.remove(sql, workspaceId, id);
      await this.cleanup.add(sql, { workspaceId, destinationId: id });
      for (const connectionId of connectionIds) await tell('connection', connectionId);
      await tell('destination', id);
    });
    await this.cleanup.runDue();
  }

  private async changed(stored: DestinationRow, { name, type, enabled, config }: UpdateDestinationBody) {
    if (type !== undefined && type !== stored.type) throw invalidField('type', 'cannot be changed');
    return {
      name: name ?? stored.name,
      enabled: enabled ?? stored.enabled,
      sealedConfig: config ? await this.configs.seal(stored, config, this.configs.open(stored)) : stored.sealedConfig,
    };
  }

  private async shown(row: DestinationRow, role: Role): Promise<Destination> {
    const { id, name, type, enabled, externalId, workspaceId, createdAt, updatedAt } = row;
    return {
      ...{ id, name, type, enabled },
      config: await this.configs.show(row, role),
      version: 1,
      ...(externalId !== null && { externalId }),
      workspaceId,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}
