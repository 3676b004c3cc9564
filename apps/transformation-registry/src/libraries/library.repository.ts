import { Injectable } from '@nestjs/common';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { ORDERS, type Slice } from '../paging/order.js';
import { PAGE_ITEMS_MAX } from '../paging/page.js';
import type { LibraryRow } from './library.view.js';

export interface NewLibrary {
  id: string;
  name: string;
  importName: string;
  language: string;
  externalId: string | null;
  createdBy: string;
}

export interface NewLibraryRevision {
  id: string;
  versionId: string;
  description: string;
  code: string;
  imports: readonly string[];
  createdBy: string;
}

const SELECT = `
  SELECT l.id, r.version_id, l.workspace_id, l.name, l.import_name, r.description, r.code, l.language, l.external_id,
    l.created_by, l.created_at, r.created_by AS revised_by, r.created_at AS revised_at, p.published_at,
    l.position, r.position AS revision_position, live.version_id AS live_version_id, live.published_at AS live_at,
    (
      SELECT latest.version_id FROM library_revisions latest
      WHERE latest.workspace_id = r.workspace_id AND latest.library_id = r.library_id
      ORDER BY latest.position DESC LIMIT 1
    ) AS latest_version_id
  FROM library_revisions r
  JOIN libraries l ON l.workspace_id = r.workspace_id AND l.id = r.library_id
  LEFT JOIN published_libraries p
    ON p.workspace_id = r.workspace_id AND p.library_id = r.library_id AND p.version_id = r.version_id
  LEFT JOIN published_libraries live
    ON live.workspace_id = r.workspace_id AND live.library_id = r.library_id
  WHERE r.workspace_id = $1`;

@Injectable()
export class LibraryRepository {
  async insert(tx: WriteScope, library: NewLibrary): Promise<void> {
    const { id, name, importName, language, externalId, createdBy } = library;
    await tx.sql.query(
      `INSERT INTO libraries (workspace_id, id, name, import_name, language, external_id, created_by, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [tx.workspaceId, id, name, importName, language, externalId, createdBy, tx.at],
    );
  }

  async addRevision(tx: WriteScope, revision: NewLibraryRevision): Promise<void> {
    const { id, versionId, description, code, imports, createdBy } = revision;
    await tx.sql.query(
      `INSERT INTO library_revisions
         (workspace_id, version_id, library_id, description, code, imports, created_by, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [tx.workspaceId, versionId, id, description, code, imports, createdBy, tx.at],
    );
  }

  /** Published ones, oldest first; one more than a page when there are more. */
  listPublished(scope: Scope, afterPosition: string): Promise<LibraryRow[]> {
    return scope.sql.query(`${SELECT} AND p.version_id IS NOT NULL AND l.position > $2 ORDER BY l.position LIMIT $3`, [
      scope.workspaceId,
      afterPosition,
      PAGE_ITEMS_MAX + 1,
    ]);
  }

  async findPublished(scope: Scope, id: string): Promise<LibraryRow | undefined> {
    const sql = `${SELECT} AND r.library_id = $2 AND p.version_id IS NOT NULL`;
    const [row] = await scope.sql.query<LibraryRow[]>(sql, [scope.workspaceId, id]);
    return row;
  }

  /** Of one that has not been deleted. */
  async findLatest(scope: Scope, id: string): Promise<LibraryRow | undefined> {
    const [row] = await scope.sql.query<LibraryRow[]>(
      `${SELECT} AND r.library_id = $2 AND l.deleted_at IS NULL ORDER BY r.position DESC LIMIT 1`,
      [scope.workspaceId, id],
    );
    return row;
  }

  async findRevision(scope: Scope, id: string, versionId: string): Promise<LibraryRow | undefined> {
    const sql = `${SELECT} AND r.library_id = $2 AND r.version_id = $3`;
    const [row] = await scope.sql.query<LibraryRow[]>(sql, [scope.workspaceId, id, versionId]);
    return row;
  }

  /** Also of deleted ones. */
  listRevisions(scope: Scope, id: string, { order, after, limit }: Slice): Promise<LibraryRow[]> {
    return scope.sql.query(
      `${SELECT} AND r.library_id = $2 AND r.position ${ORDERS[order].compare} $3
       ORDER BY r.position ${order} LIMIT $4`,
      [scope.workspaceId, id, after, limit],
    );
  }

  async exists(scope: Scope, id: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM libraries WHERE workspace_id = $1 AND id = $2';
    return (await scope.sql.query<unknown[]>(sql, [scope.workspaceId, id])).length > 0;
  }

  async unpublish(tx: WriteScope, id: string): Promise<void> {
    await tx.sql.query('DELETE FROM published_libraries WHERE workspace_id = $1 AND library_id = $2', [
      tx.workspaceId,
      id,
    ]);
    await tx.sql.query('UPDATE libraries SET deleted_at = $3 WHERE workspace_id = $1 AND id = $2', [
      tx.workspaceId,
      id,
      tx.at,
    ]);
  }

  /** False when there is none, or it was deleted. */
  async setExternalId(tx: WriteScope, id: string, externalId: string | null): Promise<boolean> {
    const [, changed] = await tx.sql.query<[unknown[], number]>(
      'UPDATE libraries SET external_id = $3 WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL',
      [tx.workspaceId, id, externalId],
    );
    return changed > 0;
  }
}
