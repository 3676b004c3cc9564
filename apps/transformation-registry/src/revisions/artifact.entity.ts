import { Check, Column, Entity, ForeignKey, Generated, Index, PrimaryColumn, Unique } from 'typeorm';

/** Columns of transformations and libraries alike. Each key begins with the workspace, so that no reference can cross tenants. */
export abstract class ArtifactEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @PrimaryColumn({ type: 'text' })
  declare id: string;

  /** Order of creation. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  declare position: string;

  @Column({ type: 'text' })
  declare language: string;

  @Column({ name: 'external_id', type: 'text', nullable: true })
  declare externalId: string | null;

  @Column({ name: 'created_by', type: 'text' })
  declare createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  declare createdAt: Date;

  /** Set by a delete, cleared when a revision is published again. */
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  declare deletedAt: Date | null;
}

/** One immutable state of the code. A trigger refuses every change. */
export abstract class RevisionEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @PrimaryColumn({ name: 'version_id', type: 'text' })
  declare versionId: string;

  abstract objectId: string;

  @Column({ type: 'bigint' })
  @Generated('increment')
  declare position: string;

  @Column({ type: 'text' })
  declare description: string;

  @Column({ type: 'text' })
  declare code: string;

  @Column({ type: 'text', array: true })
  declare imports: string[];

  @Column({ name: 'created_by', type: 'text' })
  declare createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  declare createdAt: Date;
}

/** The pointer to the live revision. */
export abstract class PublishedEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  abstract objectId: string;

  @Column({ name: 'version_id', type: 'text' })
  declare versionId: string;

  @Column({ name: 'published_by', type: 'text' })
  declare publishedBy: string;

  @Column({ name: 'published_at', type: 'timestamptz' })
  declare publishedAt: Date;
}

@Entity('transformations')
@Check('transformations_rollback_error_rate_check', 'rollback_error_rate > 0 AND rollback_error_rate <= 1')
export class TransformationEntity extends ArtifactEntity {
  /** Null while automatic rollback is off. */
  @Column({ name: 'rollback_error_rate', type: 'double precision', nullable: true })
  declare rollbackErrorRate: number | null;
}

@Entity('transformation_revisions')
@Unique('transformation_revisions_workspace_id_transformation_id_ver_key', ['workspaceId', 'objectId', 'versionId'])
@Index('transformation_revisions_listed', ['workspaceId', 'objectId', 'position'])
@ForeignKey(() => TransformationEntity, ['workspaceId', 'objectId'], ['workspaceId', 'id'], {
  name: 'transformation_revisions_workspace_id_transformation_id_fkey',
})
export class TransformationRevisionEntity extends RevisionEntity {
  @Column({ name: 'transformation_id', type: 'text' })
  declare objectId: string;

  @Column({ type: 'text' })
  declare name: string;
}

@Entity('published_transformations')
@ForeignKey(
  () => TransformationRevisionEntity,
  ['workspaceId', 'objectId', 'versionId'],
  ['workspaceId', 'objectId', 'versionId'],
  { name: 'published_transformations_workspace_id_transformation_id_v_fkey' },
)
@Check('published_transformations_runtime_check', `runtime IN ('warm', 'fresh')`)
export class PublishedTransformationEntity extends PublishedEntity {
  @PrimaryColumn({ name: 'transformation_id', type: 'text' })
  declare objectId: string;

  /** Whether the code with its libraries keeps state. Null for code that was published before this was known. */
  @Column({ type: 'text', nullable: true })
  declare runtime: string | null;

  @Column({ name: 'runtime_reason', type: 'text', nullable: true })
  declare runtimeReason: string | null;
}

/** A library's names never change, because code imports it by them (ruling 7). */
@Entity('libraries')
@Unique('libraries_workspace_id_id_import_name_key', ['workspaceId', 'id', 'importName'])
export class LibraryEntity extends ArtifactEntity {
  @Column({ type: 'text' })
  declare name: string;

  @Column({ name: 'import_name', type: 'text' })
  declare importName: string;
}

@Entity('library_revisions')
@Unique('library_revisions_workspace_id_library_id_version_id_key', ['workspaceId', 'objectId', 'versionId'])
@Index('library_revisions_listed', ['workspaceId', 'objectId', 'position'])
@ForeignKey(() => LibraryEntity, ['workspaceId', 'objectId'], ['workspaceId', 'id'], {
  name: 'library_revisions_workspace_id_library_id_fkey',
})
export class LibraryRevisionEntity extends RevisionEntity {
  @Column({ name: 'library_id', type: 'text' })
  declare objectId: string;
}

@Entity('published_libraries')
@Unique('published_libraries_workspace_id_import_name_key', ['workspaceId', 'importName'])
@ForeignKey(() => LibraryEntity, ['workspaceId', 'objectId', 'importName'], ['workspaceId', 'id', 'importName'], {
  name: 'published_libraries_workspace_id_library_id_import_name_fkey',
})
@ForeignKey(
  () => LibraryRevisionEntity,
  ['workspaceId', 'objectId', 'versionId'],
  ['workspaceId', 'objectId', 'versionId'],
  { name: 'published_libraries_workspace_id_library_id_version_id_fkey' },
)
export class PublishedLibraryEntity extends PublishedEntity {
  @PrimaryColumn({ name: 'library_id', type: 'text' })
  declare objectId: string;

  @Column({ name: 'import_name', type: 'text' })
  declare importName: string;
}
