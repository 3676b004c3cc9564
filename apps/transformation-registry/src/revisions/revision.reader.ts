import { Injectable } from '@nestjs/common';
import { AppError, notFound, type ObjectStatus } from '@weir/contracts';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { objectTag } from '../rules/entity-tag.js';
import type { Artifact, RevisionRow, Shape } from './artifact.js';
import { encodeCursor, pageOf, positionOf, type RevisionsRequest, revisionsPage, revisionsSlice } from './paging.js';
import { RevisionStore } from './revision.store.js';

interface One {
  workspaceId: string;
  id: string;
}
type OneOf = One & { status?: ObjectStatus | undefined };

/** Reads objects of either artifact, and revisions even of deleted objects. */
@Injectable()
export class RevisionReader {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly store: RevisionStore,
  ) {}

  async list<S extends Shape>(
    artifact: Artifact<S>,
    { workspaceId, status = 'published', after }: Omit<OneOf, 'id'> & { after?: string | undefined },
  ) {
    const rows = await this.store.list(artifact, this.database.read(workspaceId), status, positionOf(after));
    const { items, next } = pageOf(rows, (row) => objectOf(artifact, row));
    return { items, ...(next && { next: encodeCursor({ position: next }) }) };
  }

  async get<S extends Shape>(artifact: Artifact<S>, { workspaceId, id, status }: OneOf) {
    const row = await foundOf(this.store, artifact, this.database.read(workspaceId), { id, status });
    return objectOf(artifact, row);
  }

  async listVersions<S extends Shape>(artifact: Artifact<S>, request: One & RevisionsRequest) {
    const scope = this.database.read(request.workspaceId);
    const { slice, left } = revisionsSlice(request);
    const rows = await this.store.listRevisions(artifact, scope, request.id, slice);
    if (rows.length === 0 && !(await this.store.exists(artifact, scope, request.id))) throw notFound(artifact.type);
    const positioned = rows.map((row) => ({ ...row, position: row.revision_position }));
    const { items, next } = revisionsPage(positioned, (row) => revisionOf(artifact, row), left);
    return { versions: items, ...(next && { next }) };
  }

  async getVersion<S extends Shape>(
    artifact: Artifact<S>,
    { workspaceId, id, versionId }: One & { versionId: string },
  ) {
    const row = await this.store.findRevision(artifact, this.database.read(workspaceId), id, versionId);
    return revisionOf(artifact, found(row, 'version'));
  }
}

const HINTS = { draft: 'it is a draft, so add status=draft', published: 'it is published, so leave out status' };

/** Throws `not_found` for a missing object, and says so if it exists with the other status. */
export async function foundOf<S extends Shape>(
  store: RevisionStore,
  artifact: Artifact<S>,
  scope: Scope,
  { id, status = 'published' }: Omit<OneOf, 'workspaceId'>,
): Promise<S['row']> {
  const row = await store.find(artifact, scope, 'all', id);
  const known = row && (isLive(row) ? 'published' : 'draft');
  if (row && (status === 'all' || status === known)) return row;
  if (!known) throw notFound(artifact.type);
  throw new AppError('not_found', `${artifact.type} not found: ${HINTS[known]}`);
}

/** Throws `not_found` for a missing row. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw notFound(what);
  return row;
}

const fieldsOf = (row: RevisionRow) => ({
  id: row.id,
  versionId: row.version_id,
  name: row.name,
  description: row.description,
  code: row.code,
  language: row.language,
  workspaceId: row.workspace_id,
  ...(row.external_id !== null && { externalId: row.external_id }),
  ...(row.commit_id !== null && { commitId: row.commit_id }),
  etag: objectTag(row),
});

const isLive = ({ version_id, live_version_id }: RevisionRow) => version_id === live_version_id;

/** `updatedAt` is when this revision went live, or when a draft was written. `createdAt` never changes. */
export function objectOf<S extends Shape>(artifact: Artifact<S>, row: S['row']) {
  const updated = (isLive(row) && row.live_at) || row.revised_at;
  return {
    ...fieldsOf(row),
    ...artifact.own(row),
    isPublished: isLive(row),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: updated.toISOString(),
    ...artifact.live(row),
  };
}

/** Revisions have their own times and author (wire-facts 1.4). */
export const revisionOf = <S extends Shape>(artifact: Artifact<S>, row: S['row']) => ({
  ...fieldsOf(row),
  ...artifact.own(row),
  createdBy: row.revised_by,
  createdAt: row.revised_at.toISOString(),
  updatedAt: row.revised_at.toISOString(),
  isPublished: isLive(row),
});
