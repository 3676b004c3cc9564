import { Injectable } from '@nestjs/common';
import { type DestinationRecord, isStorableText, notFound, unknownId } from '@weir/contracts';
import { destinationAad, Sealer } from '@weir/service-kit';
import type { DestinationEntity, SourceEntity } from './inventory.entity.js';
import { ConnectionRepository, DestinationRepository, SourceRepository } from './inventory.repositories.js';

/** Answers other areas' questions about a workspace's inventory. Reads the database, because the mirror may lag. */
@Injectable()
export class InventoryLookup {
  constructor(
    private readonly sources: SourceRepository,
    private readonly destinations: DestinationRepository,
    private readonly connections: ConnectionRepository,
    private readonly sealer: Sealer,
  ) {}

  /** For ids in a path: throws `not_found`. */
  async source(workspaceId: string, id: string): Promise<SourceEntity> {
    const source = await this.sources.find(workspaceId, id);
    if (!source) throw notFound('source');
    return source;
  }

  /** For ids in a path: throws `not_found`. */
  async destination(workspaceId: string, id: string): Promise<DestinationRecord> {
    const row = await this.destinations.find(workspaceId, id);
    if (!row) throw notFound('destination');
    return recordOf(row);
  }

  /** All destinations of the workspace, in order of creation. */
  async allDestinations(workspaceId: string): Promise<DestinationRecord[]> {
    return (await this.destinations.listAll(workspaceId)).map(recordOf);
  }

  /** Names by id. Unknown ids are left out. */
  async destinationNames(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = ids.length > 0 ? await this.destinations.findMany(workspaceId, ids) : [];
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Names of the configuration's properties that are set. The values stay here. */
  configKeys(destination: DestinationRecord): string[] {
    const config = this.sealer.open(destination.sealedConfig, destinationAad(destination));
    const isSet = (value: unknown) => value !== null && value !== undefined && String(value).trim() !== '';
    return Object.keys(config).filter((key) => isSet(config[key]) && isStorableText(key));
  }

  /** Destinations of a source, in order of connection. `connected` is false for a disabled connection. */
  async destinationsOf(
    workspaceId: string,
    sourceId: string,
  ): Promise<{ destination: DestinationRecord; connected: boolean }[]> {
    const connections = await this.connections.listOfSource(workspaceId, sourceId);
    const ids = connections.map(({ destinationId }) => destinationId);
    const rows = new Map((await this.destinations.findMany(workspaceId, ids)).map((row) => [row.id, row]));
    return connections.flatMap(({ destinationId, enabled }) => {
      const row = rows.get(destinationId);
      return row ? [{ destination: recordOf(row), connected: enabled }] : [];
    });
  }

  /** Write keys of the sources that send to any of these destinations, oldest connection first. */
  writeKeysTo(workspaceId: string, destinationIds: readonly string[], limit: number): Promise<string[]> {
    return this.connections.writeKeysTo(workspaceId, destinationIds, limit);
  }

  /** Destinations for the ids of a body field, in that order. Throws `invalid` naming field and id (ruling 26). */
  async requireDestinations(workspaceId: string, field: string, ids: readonly string[]): Promise<DestinationRecord[]> {
    const rows = new Map((await this.destinations.findMany(workspaceId, ids)).map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = rows.get(id);
      if (!row) throw unknownId(field, 'destination', id);
      return recordOf(row);
    });
  }

  /** Throws `invalid` naming field and id unless all ids are sources of the workspace (ruling 26). */
  async requireSources(workspaceId: string, field: string, ids: readonly string[]): Promise<void> {
    const known = new Set((await this.sources.findMany(workspaceId, ids)).map(({ id }) => id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw unknownId(field, 'source', unknown);
  }
}

const recordOf = ({ id, workspaceId, name, type, enabled, sealedConfig }: DestinationEntity): DestinationRecord => ({
  ...{ id, workspaceId, name, type, enabled, sealedConfig },
});
