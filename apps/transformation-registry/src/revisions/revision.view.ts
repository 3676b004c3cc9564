import { objectTag, revisionTag } from '../rules/entity-tag.js';
import { nullable } from '../rules/nullable.js';
import type { AnyKind, RevisionRow, RowOf } from './kind.js';

const fieldsOf = (row: RevisionRow) => ({
  id: row.id,
  versionId: row.version_id,
  name: row.name,
  description: row.description,
  code: row.code,
  language: row.language,
  workspaceId: row.workspace_id,
  ...nullable('externalId', row.external_id),
  ...nullable('commitId', row.commit_id),
});

const isLive = ({ version_id, live_version_id }: RevisionRow) => version_id === live_version_id;

/** `updatedAt` is when this revision went live, or when a draft was written. `createdAt` never changes. */
export function objectOf<K extends AnyKind>(kind: K, row: RowOf<K>) {
  const updated = (isLive(row) && row.live_at) || row.revised_at;
  return {
    ...fieldsOf(row),
    ...(kind.own(row) as ReturnType<K['own']>),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: updated.toISOString(),
    ...(kind.live(row) as ReturnType<K['live']>),
  };
}

/** Revisions have their own times and author (wire-facts 1.4). */
export const revisionOf = <K extends AnyKind>(kind: K, row: RowOf<K>) => ({
  ...fieldsOf(row),
  ...(kind.own(row) as ReturnType<K['own']>),
  createdBy: row.revised_by,
  createdAt: row.revised_at.toISOString(),
  updatedAt: row.revised_at.toISOString(),
  isPublished: isLive(row),
});

export const taggedObjectOf = <K extends AnyKind>(kind: K, row: RowOf<K>) => ({
  ...objectOf(kind, row),
  etag: objectTag(row),
});

export const taggedRevisionOf = <K extends AnyKind>(kind: K, row: RowOf<K>) => ({
  ...revisionOf(kind, row),
  etag: revisionTag(row),
});
