import type { Library, LibraryRevision, TaggedLibrary, TaggedLibraryRevision } from '@weir/contracts';
import { objectTag, revisionTag } from '../rules/entity-tag.js';
import { nullable } from '../rules/nullable.js';

/** A revision with its library, as the repository reads it. */
export interface LibraryRow {
  id: string;
  version_id: string;
  workspace_id: string;
  name: string;
  import_name: string;
  description: string;
  code: string;
  language: string;
  external_id: string | null;
  created_by: string;
  created_at: Date;
  revised_by: string;
  revised_at: Date;
  /** Null unless this revision is live. */
  published_at: Date | null;
  /** Of the library and of the revision, in the order of their lists. */
  position: string;
  revision_position: string;
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
}

const fieldsOf = (row: LibraryRow) => ({
  id: row.id,
  versionId: row.version_id,
  name: row.name,
  description: row.description,
  code: row.code,
  language: row.language,
  importName: row.import_name,
  workspaceId: row.workspace_id,
  ...nullable('externalId', row.external_id),
});

/** `updatedAt` is when this revision went live, or was made when it is a draft; `createdAt` never moves. */
export const libraryOf = (row: LibraryRow): Library => ({
  ...fieldsOf(row),
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: (row.published_at ?? row.revised_at).toISOString(),
});

/** Revisions carry their own times and author (wire-facts 1.4). */
export const libraryRevisionOf = (row: LibraryRow): LibraryRevision => ({
  ...fieldsOf(row),
  createdBy: row.revised_by,
  createdAt: row.revised_at.toISOString(),
  updatedAt: row.revised_at.toISOString(),
  isPublished: row.published_at !== null,
});

export const taggedLibraryOf = (row: LibraryRow): TaggedLibrary => ({ ...libraryOf(row), etag: objectTag(row) });

export const taggedLibraryRevisionOf = (row: LibraryRow): TaggedLibraryRevision => ({
  ...libraryRevisionOf(row),
  etag: revisionTag(row),
});
