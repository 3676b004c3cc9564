import type { CodeRuntime, Transformation } from '@weir/contracts';
import {
  type ArtifactEntity,
  LibraryEntity,
  LibraryRevisionEntity,
  type PublishedEntity,
  PublishedLibraryEntity,
  PublishedTransformationEntity,
  type RevisionEntity,
  TransformationEntity,
  TransformationRevisionEntity,
} from './artifact.entity.js';
import type { CodeNode, LibraryNode } from './nodes.js';

/** A revision with its object, as {@link RevisionStore} reads it. */
export interface RevisionRow {
  id: string;
  version_id: string;
  workspace_id: string;
  name: string;
  description: string;
  code: string;
  language: string;
  imports: string[];
  external_id: string | null;
  created_by: string;
  created_at: Date;
  revised_by: string;
  revised_at: Date;
  /** Commit of the newest publish of this revision that named one. */
  commit_id: string | null;
  /** Positions of the object and of the revision in their lists. */
  position: string;
  revision_position: string;
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
  /** Like `commit_id`, of the live revision. */
  live_commit_id: string | null;
}

/** A revision as imports see it, with its object. `naming` adds further columns. */
export type NodeRow = Pick<RevisionRow, 'id' | 'version_id' | 'name' | 'language' | 'imports' | 'external_id'>;

/** The types in which transformations and libraries differ. */
export interface Shape {
  row: RevisionRow;
  node: CodeNode;
  /** Fields of an answer in addition to those of both artifacts. */
  own: object;
  /** Fields of the object that its revisions do not have. */
  live: object;
}

/**
 * A transformation or a library: an object, its append-only revisions, and a pointer to the live one. The store handles both in
 * the same way, and an artifact holds the differences. Its texts are constants that become part of SQL, where `e` is the object
 * and `r` its revision.
 */
export interface Artifact<S extends Shape = Shape> {
  readonly type: 'transformation' | 'library';
  readonly entities: {
    object: new () => ArtifactEntity;
    revision: new () => RevisionEntity;
    published: new () => PublishedEntity;
  };
  readonly table: string;
  readonly revisions: string;
  readonly published: string;
  /** Column of revisions and pointers that holds the object's id. */
  readonly key: string;
  /** Column of the name, and of any other name that code uses. */
  readonly naming: readonly string[];
  /** Further columns of the row. */
  readonly columns: readonly string[];
  /** Columns that a pointer copies from its object. */
  readonly pointed: readonly string[];
  node(row: NodeRow & Omit<S['row'], keyof RevisionRow>): S['node'];
  own(row: S['row']): S['own'];
  live(row: S['row']): S['live'];
}

interface TransformationShape {
  row: RevisionRow & {
    destinations: string[];
    rolled_back: RolledBack | null;
    /** Runtime of the live revision. */
    runtime: CodeRuntime['runtime'] | null;
    runtime_reason: string | null;
  };
  node: CodeNode;
  own: { codeVersion: '1'; imports: string[]; rolledBack?: RolledBack };
  live: { destinations: string[] } & Partial<CodeRuntime>;
}
type RolledBack = NonNullable<Transformation['rolledBack']>;

interface LibraryShape {
  row: RevisionRow & { import_name: string };
  node: LibraryNode;
  own: { importName: string };
  live: object;
}

/** A transformation's name belongs to its revisions, so it may change. */
export const TRANSFORMATION: Artifact<TransformationShape> = {
  type: 'transformation',
  entities: {
    object: TransformationEntity,
    revision: TransformationRevisionEntity,
    published: PublishedTransformationEntity,
  },
  table: 'transformations',
  revisions: 'transformation_revisions',
  published: 'published_transformations',
  key: 'transformation_id',
  naming: ['r.name'],
  columns: [
    `ARRAY(
      SELECT l.destination_id FROM destination_links l
      WHERE l.workspace_id = e.workspace_id AND l.transformation_id = e.id ORDER BY l.created_at, l.destination_id
    ) AS destinations`,
    // Formats the time as the wire does, whatever the session's settings.
    `(
      SELECT jsonb_build_object('to', t.previous_version_id, 'errorRate', t.error_rate, 'events', t.events, 'errors', t.errors,
        'at', to_char(t.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM version_trials t
      WHERE t.workspace_id = r.workspace_id AND t.version_id = r.version_id AND t.state = 'rolledBack'
    ) AS rolled_back`,
    'p.runtime',
    'p.runtime_reason',
  ],
  pointed: [],
  node: ({ id, version_id: versionId, name, external_id, imports }) => ({
    ...{ id, versionId, name, imports },
    ...(external_id !== null && { externalId: external_id }),
  }),
  own: ({ imports, rolled_back }) => ({
    ...{ codeVersion: '1', imports },
    ...(rolled_back && { rolledBack: rolled_back }),
  }),
  live: (row) => ({ destinations: row.destinations, ...(row.version_id === row.live_version_id && runtimeOf(row)) }),
};

const runtimeOf = ({ runtime, runtime_reason }: TransformationShape['row']): Partial<CodeRuntime> => ({
  ...(runtime !== null && { runtime }),
  ...(runtime_reason !== null && { runtimeReason: runtime_reason }),
});

/** A library's names never change, because code imports it by them (ruling 7). */
export const LIBRARY: Artifact<LibraryShape> = {
  type: 'library',
  entities: { object: LibraryEntity, revision: LibraryRevisionEntity, published: PublishedLibraryEntity },
  table: 'libraries',
  revisions: 'library_revisions',
  published: 'published_libraries',
  key: 'library_id',
  naming: ['e.name', 'e.import_name'],
  columns: [],
  pointed: ['import_name'],
  node: ({ id, version_id: versionId, name, import_name: importName, external_id, imports }) => ({
    ...{ id, versionId, name, importName, imports },
    ...(external_id !== null && { externalId: external_id }),
  }),
  own: ({ import_name }) => ({ importName: import_name }),
  live: () => ({}),
};
