import { Injectable } from '@nestjs/common';
import { type DestinationRecord, isStorableText, notFound, unknownId } from '@weir/contracts';
import { destinationAad, Sealer } from '@weir/service-kit';
import type { DestinationEntity, SourceEntity } from './inventory.entity.js';
import { piecesOf } from './inventory.pages.js';
import { ConnectionRepository, DestinationRepository, SourceRepository } from './inventory.repositories.js';

/** A destination from which users may be deleted. */
interface DeletionTarget {
  id: string;
  type: string;
  configKeys: string[];
}

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

  /** Names by id. Unknown ids are left out. */
  async destinationNames(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
    return ids.length > 0 ? this.destinations.namesOf(workspaceId, ids) : new Map();
  }

  /**
   * Types of destinations, and names of the configuration's properties that are set. The values stay here. Without ids: of all
   * destinations, in order of creation. Throws `invalid` for an unknown id (ruling 26).
   */
  async deletionTargets(workspaceId: string, ids?: readonly string[]): Promise<DeletionTarget[]> {
    const all = new Map((await this.destinations.listAll(workspaceId)).map((one) => [one.id, one]));
    const chosen = (ids ?? [...all.keys()]).map((id) => all.get(id) ?? unknown(id));
    const targets: DeletionTarget[] = [];
    for (const piece of piecesOf(chosen)) {
      const found = await this.inOrder(
        workspaceId,
        piece.map(({ id }) => id),
      );
      targets.push(...found.map((row) => ({ id: row.id, type: row.type, configKeys: this.configKeys(row) })));
    }
    return targets;
  }

  /** Ids of the destinations of a source, in order of connection. */
  async connectedTo(workspaceId: string, sourceId: string, { disabled }: { disabled: boolean }): Promise<string[]> {
    const connections = await this.connections.listOfSource(workspaceId, sourceId);
    return connections.filter(({ enabled }) => enabled || disabled).map(({ destinationId }) => destinationId);
  }

  /** In the order of the ids. Those that are gone are left out. */
  async destinationsWith(workspaceId: string, ids: readonly string[]): Promise<DestinationRecord[]> {
    return (await this.inOrder(workspaceId, ids)).map(recordOf);
  }

  /** Write keys of the sources that send to any of these destinations, oldest connection first. */
  writeKeysTo(workspaceId: string, destinationIds: readonly string[], limit: number): Promise<string[]> {
    return this.connections.writeKeysTo(workspaceId, destinationIds, limit);
  }

  /** Throws `invalid` naming field and id unless all ids are destinations of the workspace (ruling 26). */
  requireDestinations(workspaceId: string, field: string, ids: readonly string[]): Promise<void> {
    return this.require(this.destinations, workspaceId, field, ids);
  }

  /** Throws `invalid` naming field and id unless all ids are sources of the workspace (ruling 26). */
  requireSources(workspaceId: string, field: string, ids: readonly string[]): Promise<void> {
    return this.require(this.sources, workspaceId, field, ids);
  }

  private async require(
    objects: SourceRepository | DestinationRepository,
    workspaceId: string,
    field: string,
    ids: readonly string[],
  ): Promise<void> {
    const known = await objects.idsAmong(workspaceId, ids);
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw unknownId(field, objects.kind, unknown);
  }

  private async inOrder(workspaceId: string, ids: readonly string[]): Promise<DestinationEntity[]> {
    const rows = new Map((await this.destinations.findMany(workspaceId, ids)).map((row) => [row.id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  private configKeys(row: DestinationEntity): string[] {
    const config = this.sealer.open(row.sealedConfig, destinationAad(row));
    const isSet = (value: unknown) => value !== null && value !== undefined && String(value).trim() !== '';
    return Object.keys(config).filter((key) => isSet(config[key]) && isStorableText(key));
  }
}

function unknown(id: string): never {
  throw unknownId('destinationIds', 'destination', id);
}

const recordOf = ({ id, workspaceId, name, type, enabled, sealedConfig }: DestinationEntity): DestinationRecord => ({
  ...{ id, workspaceId, name, type, enabled, sealedConfig },
});
