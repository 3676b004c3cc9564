import { Injectable } from '@nestjs/common';
import { notFound } from '@weir/contracts';
import { WorkspaceDatabase } from '../database/workspace-database.js';
import { encodeCursor } from '../paging/cursor.js';
import { pageOf } from '../paging/page.js';
import { positionOf, type VersionsRequest, versionsPage, versionsSlice } from '../paging/versions.js';
import type { AnyKind, RowOf } from './kind.js';
import { RevisionStore } from './revision.store.js';
import { objectOf, revisionOf, taggedObjectOf, taggedRevisionOf } from './revision.view.js';

interface One {
  workspaceId: string;
  id: string;
}

/** Reads live objects of either kind, and revisions even of deleted objects. */
@Injectable()
export class RevisionReader {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly store: RevisionStore,
  ) {}

  async list<K extends AnyKind>(kind: K, { workspaceId, after }: { workspaceId: string; after?: string | undefined }) {
    const rows = await this.store.listLive(kind, this.database.read(workspaceId), positionOf(after));
    const { items, next } = pageOf(rows, (row) => objectOf(kind, row));
    return { items, ...(next && { next: encodeCursor({ position: next }) }) };
  }

  async get<K extends AnyKind>(kind: K, { workspaceId, id }: One) {
    const row = await this.store.findLive(kind, this.database.read(workspaceId), id);
    return taggedObjectOf(kind, found(row, kind.what));
  }

  async listVersions<K extends AnyKind>(kind: K, request: One & VersionsRequest) {
    const scope = this.database.read(request.workspaceId);
    const { slice, left } = versionsSlice(request);
    const rows = await this.store.listRevisions(kind, scope, request.id, slice);
    if (rows.length === 0 && !(await this.store.exists(kind, scope, request.id))) throw notFound(kind.what);
    const positioned = rows.map((row: RowOf<K>) => ({ ...row, position: row.revision_position }));
    const { items, next } = versionsPage(positioned, (row) => revisionOf(kind, row), left);
    return { versions: items, ...(next && { next }) };
  }

  async getVersion<K extends AnyKind>(kind: K, { workspaceId, id, versionId }: One & { versionId: string }) {
    const row = await this.store.findRevision(kind, this.database.read(workspaceId), id, versionId);
    return taggedRevisionOf(kind, found(row, 'version'));
  }
}

/** Throws `not_found` for a missing row. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw notFound(what);
  return row;
}
