import { Injectable } from '@nestjs/common';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import type { Candidates, CodeNode, LibraryNode, Published } from './nodes.js';

interface NodeRow {
  id: string;
  version_id: string;
  name: string;
  external_id: string | null;
  imports: string[];
}

/** Which revision of what is live. */
@Injectable()
export class PointerRepository {
  /** Everything that is live, without code. */
  async published(scope: Scope): Promise<Published> {
    const transformations = await scope.sql.query<NodeRow[]>(
      `SELECT t.id, r.version_id, r.name, t.external_id, r.imports
       FROM published_transformations p
       JOIN transformations t ON t.workspace_id = p.workspace_id AND t.id = p.transformation_id
       JOIN transformation_revisions r ON r.workspace_id = p.workspace_id AND r.version_id = p.version_id
       WHERE p.workspace_id = $1 ORDER BY t.position`,
      [scope.workspaceId],
    );
    return { transformations: transformations.map(nodeOf), libraries: await this.publishedLibraries(scope) };
  }

  async publishedLibraries(scope: Scope): Promise<LibraryNode[]> {
    const rows = await scope.sql.query<(NodeRow & { import_name: string })[]>(
      `SELECT l.id, r.version_id, l.name, l.external_id, r.imports, l.import_name
       FROM published_libraries p
       JOIN libraries l ON l.workspace_id = p.workspace_id AND l.id = p.library_id
       JOIN library_revisions r ON r.workspace_id = p.workspace_id AND r.version_id = p.version_id
       WHERE p.workspace_id = $1 ORDER BY l.position`,
      [scope.workspaceId],
    );
    return rows.map((row) => ({ ...nodeOf(row), importName: row.import_name }));
  }

  async isPublished(scope: Scope, transformationId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM published_transformations WHERE workspace_id = $1 AND transformation_id = $2';
    return (await scope.sql.query<unknown[]>(sql, [scope.workspaceId, transformationId])).length > 0;
  }

  /** Points at the candidates; what is live already stays as it is. Brings back what was deleted. */
  async publish(tx: WriteScope, { transformations, libraries }: Candidates, by: string): Promise<void> {
    await tx.sql.query(PUBLISH_TRANSFORMATIONS_SQL, [tx.workspaceId, ...columnsOf(transformations), by, tx.at]);
    await tx.sql.query(PUBLISH_LIBRARIES_SQL, [tx.workspaceId, ...columnsOf(libraries), by, tx.at]);
  }
}

const PUBLISH_TRANSFORMATIONS_SQL = `
  WITH restored AS (
    UPDATE transformations SET deleted_at = NULL WHERE workspace_id = $1 AND id = ANY($2) AND deleted_at IS NOT NULL
  )
  INSERT INTO published_transformations AS live (workspace_id, transformation_id, version_id, published_by, published_at)
  SELECT $1, id, version_id, $4, $5 FROM unnest($2::text[], $3::text[]) AS named (id, version_id)
  ON CONFLICT (workspace_id, transformation_id) DO UPDATE
  SET version_id = EXCLUDED.version_id, published_by = EXCLUDED.published_by, published_at = EXCLUDED.published_at
  WHERE live.version_id <> EXCLUDED.version_id`;

const PUBLISH_LIBRARIES_SQL = `
  WITH restored AS (
    UPDATE libraries SET deleted_at = NULL WHERE workspace_id = $1 AND id = ANY($2) AND deleted_at IS NOT NULL
  )
  INSERT INTO published_libraries AS live
    (workspace_id, library_id, import_name, version_id, published_by, published_at)
  SELECT $1, l.id, l.import_name, named.version_id, $4, $5
  FROM unnest($2::text[], $3::text[]) AS named (id, version_id)
  JOIN libraries l ON l.workspace_id = $1 AND l.id = named.id
  ON CONFLICT (workspace_id, library_id) DO UPDATE
  SET version_id = EXCLUDED.version_id, published_by = EXCLUDED.published_by, published_at = EXCLUDED.published_at
  WHERE live.version_id <> EXCLUDED.version_id`;

const columnsOf = (nodes: readonly CodeNode[]) => [nodes.map(({ id }) => id), nodes.map(({ versionId }) => versionId)];

const nodeOf = ({ id, version_id, name, external_id, imports }: NodeRow): CodeNode => ({
  id,
  versionId: version_id,
  name,
  ...(external_id !== null && { externalId: external_id }),
  imports,
});
