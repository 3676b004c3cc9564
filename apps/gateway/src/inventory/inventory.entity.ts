import { createHash } from 'node:crypto';
import { AppError, type JsonObject, PARTITIONS } from '@weir/contracts';
import type { Transaction } from '@weir/service-kit';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

const now = () => 'now()';

/** Columns of every object. */
abstract class StoredEntity {
  @PrimaryColumn({ type: 'text' })
  declare id: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: now })
  declare createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', default: now })
  declare updatedAt: Date;
}

@Entity('workspaces')
@Index('workspaces_bootstrap', ['isBootstrap'], { unique: true, where: 'is_bootstrap' })
export class WorkspaceEntity extends StoredEntity {
  @Column({ type: 'text' })
  declare name: string;

  /** Whether user code of the workspace may call `fetch`. */
  @Column({ name: 'allow_fetch', type: 'boolean', default: false })
  declare allowFetch: boolean;

  /** Marks the workspace that BOOTSTRAP_ACCESS_TOKEN opens. */
  @Column({ name: 'is_bootstrap', type: 'boolean', default: false })
  declare isBootstrap: boolean;
}

/** Locks the workspace until the transaction ends, so that two requests cannot both take the last place in it. */
export const lockWorkspace = (tx: Transaction, id: string): Promise<WorkspaceEntity | null> =>
  tx.getRepository(WorkspaceEntity).findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });

/** Columns of sources, destinations and connections alike. */
export abstract class InventoryEntity extends StoredEntity {
  @Column({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @Column({ type: 'boolean' })
  declare enabled: boolean;

  @Column({ name: 'external_id', type: 'text', nullable: true })
  declare externalId: string | null;
}

@Entity('sources')
@Check('sources_partitions', `partitions BETWEEN 1 AND ${PARTITIONS}`)
@Unique('sources_workspace_id_id_key', ['workspaceId', 'id'])
@Unique('sources_name', ['workspaceId', 'name'])
@Unique('sources_external_id', ['workspaceId', 'externalId'])
@Unique('sources_write_key_key', ['writeKey'])
@Index('sources_listed', ['workspaceId', 'createdAt', 'id'])
@ForeignKey(() => WorkspaceEntity, ['workspaceId'], ['id'], { name: 'sources_workspace_id_fkey' })
export class SourceEntity extends InventoryEntity {
  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare type: string;

  @Column({ name: 'write_key', type: 'text' })
  declare writeKey: string;

  /** `json` and not `jsonb`, so that it reads as it was written. */
  @Column({ type: 'json' })
  declare config: JsonObject;

  @Column({ name: 'geo_enrichment_enabled', type: 'boolean' })
  declare geoEnrichmentEnabled: boolean;

  @Column({ type: 'boolean' })
  declare transient: boolean;

  @Column({ type: 'integer', default: 1 })
  declare partitions: number;
}

@Entity('destinations')
@Unique('destinations_workspace_id_id_key', ['workspaceId', 'id'])
@Unique('destinations_name', ['workspaceId', 'name'])
@Unique('destinations_external_id', ['workspaceId', 'externalId'])
@Index('destinations_listed', ['workspaceId', 'createdAt', 'id'])
@ForeignKey(() => WorkspaceEntity, ['workspaceId'], ['id'], { name: 'destinations_workspace_id_fkey' })
export class DestinationEntity extends InventoryEntity {
  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare type: string;

  /** The configuration, sealed and tied to workspace and id. */
  @Column({ name: 'sealed_config', type: 'text' })
  declare sealedConfig: string;

  /** Whether the configuration has all required settings. An incomplete destination receives nothing. */
  @Column({ name: 'is_complete', type: 'boolean', default: true })
  declare isComplete: boolean;
}

/** The foreign keys include the workspace, so that a connection cannot cross workspaces. */
@Entity('connections')
@Unique('connections_pair', ['sourceId', 'destinationId'])
@Unique('connections_external_id', ['workspaceId', 'externalId'])
@Index('connections_destination', ['workspaceId', 'destinationId'])
@Index('connections_listed', ['workspaceId', 'createdAt', 'id'])
@ForeignKey(() => SourceEntity, ['workspaceId', 'sourceId'], ['workspaceId', 'id'], {
  name: 'connections_workspace_id_source_id_fkey',
})
@ForeignKey(() => DestinationEntity, ['workspaceId', 'destinationId'], ['workspaceId', 'id'], {
  name: 'connections_workspace_id_destination_id_fkey',
})
export class ConnectionEntity extends InventoryEntity {
  @Column({ name: 'source_id', type: 'text' })
  declare sourceId: string;

  @Column({ name: 'destination_id', type: 'text' })
  declare destinationId: string;
}

/** Characters of a tag. 96 bits suffice to tell the states of one object apart. */
const TAG_CHARS = 16;

/** One of these tags must be the current one. Without tags there is no condition. */
export type IfMatchTags = readonly string[] | undefined;

type Tagged = Pick<InventoryEntity, 'id' | 'updatedAt'>;

/**
 * Entity tag of the state of a source, destination or connection (decision 0052). No two states of an object have one time
 * (`inventory.repositories.ts`), and sealing a configuration anew changes no state.
 */
export const tagOf = ({ id, updatedAt }: Tagged): string =>
  createHash('sha256').update(`${id} ${updatedAt.toISOString()}`).digest('base64url').slice(0, TAG_CHARS);

/** Throws `precondition_failed` unless one of the tags is that of the locked row. */
export function requireMatch(kind: string, row: Tagged, ifMatch: IfMatchTags): void {
  if (ifMatch === undefined || ifMatch.includes(tagOf(row))) return;
  throw new AppError(
    'precondition_failed',
    `The ${kind} has changed since you read it. Read it again, then repeat the change`,
  );
}
