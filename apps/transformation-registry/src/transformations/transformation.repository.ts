import { Injectable } from '@nestjs/common';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { ORDERS, type Slice } from '../paging/order.js';
import { PAGE_ITEMS_MAX } from '../paging/page.js';
import type { TransformationRow } from './transformation.view.js';

export interface NewTransformation {
  id: string;
  language: string;
  externalId: string | null;
  createdBy: string;
}

export interface NewTransformationRevision {
  id: string;
  versionId: string;
  name: string;
  description: string;
  code: string;
  imports: readonly string[];
  createdBy: string;
}

const SELECT = `
  SELECT t.id, r.version_id, t.workspace_id, r.name, r.description, r.code, t.language, r.imports, t.external_id,
    t.created_by, t.created_at, r.created_by AS revised_by, r.created_at AS revised_at, p.published_at,
    t.position, r.position AS revision_position, live.version_id AS live_version_id, live.published_at AS live_at,
    (
      SELECT latest.version_id FROM transformation_revisions latest
      WHERE latest.workspace_id = r.workspace_id AND latest.transformation_id = r.transformation_id
      ORDER BY latest.position DESC LIMIT 1
    ) AS latest_version_id,
    ARRAY(
      SELECT l.destination_id FROM destination_links l
      WHERE l.workspace_id = t.workspace_id AND l.transformation_id = t.id ORDER BY l.created_at, l.destination_id
    ) AS destinations
  FROM transformation_revisions r
  JOIN transformations t ON t.workspace_id = r.workspace_id AND t.id = r.transformation_id
  LEFT JOIN published_transformations p
    ON p.workspace_id = r.workspace_id AND p.transformation_id = r.transformation_id AND p.version_id = r.version_id
  LEFT JOIN published_transformations live
    ON live.workspace_id = r.workspace_id AND live.transformation_id = r.transformation_id
  WHERE r.workspace_id = $1`;

@Injectable()
export class TransformationRepository {
  async insert(tx: WriteScope, { id, language, externalId, createdBy }: NewTransformation): Promise<void> {
    await tx.sql.query(
      `INSERT INTO transformations (workspace_id, id, language, external_id, created_by, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [tx.workspaceId, id, language, externalId, createdBy, tx.at],
    );
  }

  async addRevision(tx: WriteScope, revision: NewTransformationRevision): Promise<void> {
    const { id, versionId, name, description, code, imports, createdBy } = revision;
    await tx.sql.query(
      `INSERT INTO transformation_revisions
         (workspace_id, version_id, transformation_id, name, description, code, imports, created_by, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [tx.workspaceId, versionId, id, name, description, code, imports, createdBy, tx.at],
    );
  }

  /** Published ones, oldest first; one more than a page when there are more. */
  listPublished(scope: Scope, afterPosition: string): Promise<TransformationRow[]> {
    return scope.sql.query(`${SELECT} AND p.version_id IS NOT NULL AND t.position > $2 ORDER BY t.position LIMIT $3`, [
      scope.workspaceId,
      afterPosition,
      PAGE_ITEMS_MAX + 1,
    ]);
  }

  async findPublished(scope: Scope, id: string): Promise<TransformationRow | undefined> {
    const sql = `${SELECT} AND r.transformation_id = $2 AND p.version_id IS NOT NULL`;
    const [row] = await scope.sql.query<TransformationRow[]>(sql, [scope.workspaceId, id]);
    return row;
  }

  /** Of one that has not been deleted. */
  async findLatest(scope: Scope, id: string): Promise<TransformationRow | undefined> {
    const [row] = await scope.sql.query<TransformationRow[]>(
      `${SELECT} AND r.transformation_id = $2 AND t.deleted_at IS NULL ORDER BY r.position DESC LIMIT 1`,
      [scope.workspaceId, id],
    );
    return row;
  }

  async findRevision(scope: Scope, id: string, versionId: string): Promise<TransformationRow | undefined> {
    const sql = `${SELECT} AND r.transformation_id = $2 AND r.version_id = $3`;
    const [row] = await scope.sql.query<TransformationRow[]>(sql, [scope.workspaceId, id, versionId]);
    return row;
  }

  /** Also of deleted ones. */
  listRevisions(scope: Scope, id: string, { order, after, limit }: Slice): Promise<TransformationRow[]> {
    return scope.sql.query(
      `${SELECT} AND r.transformation_id = $2 AND r.position ${ORDERS[order].compare} $3
       ORDER BY r.position ${order} LIMIT $4`,
      [scope.workspaceId, id, after, limit],
    );
  }

  async exists(scope: Scope, id: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM transformations WHERE workspace_id = $1 AND id = $2';
    return (await scope.sql.query<unknown[]>(sql, [scope.workspaceId, id])).length > 0;
  }

  /** Links to it have to be gone. */
  async unpublish(tx: WriteScope, id: string): Promise<void> {
    await tx.sql.query('DELETE FROM published_transformations WHERE workspace_id = $1 AND transformation_id = $2', [
      tx.workspaceId,
      id,
    ]);
    await tx.sql.query('UPDATE transformations SET deleted_at = $3 WHERE workspace_id = $1 AND id = $2', [
      tx.workspaceId,
      id,
      tx.at,
    ]);
  }

  /** False when there is none, or it was deleted. */
  async setExternalId(tx: WriteScope, id: string, externalId: string | null): Promise<boolean> {
    const [, changed] = await tx.sql.query<[unknown[], number]>(
      'UPDATE transformations SET external_id = $3 WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL',
      [tx.workspaceId, id, externalId],
    );
    return changed > 0;
  }
}
