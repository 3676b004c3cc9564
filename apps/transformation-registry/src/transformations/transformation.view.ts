import type {
  TaggedTransformation,
  TaggedTransformationRevision,
  Transformation,
  TransformationRevision,
} from '@weir/contracts';
import { objectTag, revisionTag } from '../rules/entity-tag.js';
import { nullable } from '../rules/nullable.js';

/** A revision with its transformation, as the repository reads it. */
export interface TransformationRow {
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
  /** Null unless this revision is live. */
  published_at: Date | null;
  destinations: string[];
  /** Of the transformation and of the revision, in the order of their lists. */
  position: string;
  revision_position: string;
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
}

const fieldsOf = (row: TransformationRow) => ({
  id: row.id,
  versionId: row.version_id,
  name: row.name,
  description: row.description,
  code: row.code,
  codeVersion: '1' as const,
  language: row.language,
  imports: row.imports,
  workspaceId: row.workspace_id,
  ...nullable('externalId', row.external_id),
});

/** `updatedAt` is when this revision went live, or was made when it is a draft; `createdAt` never moves. */
export const transformationOf = (row: TransformationRow): Transformation => ({
  ...fieldsOf(row),
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: (row.published_at ?? row.revised_at).toISOString(),
  destinations: row.destinations,
});

/** Revisions carry their own times and author (wire-facts 1.4). */
export const transformationRevisionOf = (row: TransformationRow): TransformationRevision => ({
  ...fieldsOf(row),
  createdBy: row.revised_by,
  createdAt: row.revised_at.toISOString(),
  updatedAt: row.revised_at.toISOString(),
  isPublished: row.published_at !== null,
});

export const taggedTransformationOf = (row: TransformationRow): TaggedTransformation => ({
  ...transformationOf(row),
  etag: objectTag(row),
});

export const taggedTransformationRevisionOf = (row: TransformationRow): TaggedTransformationRevision => ({
  ...transformationRevisionOf(row),
  etag: revisionTag(row),
});
