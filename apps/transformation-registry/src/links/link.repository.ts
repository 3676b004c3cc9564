import { Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import type { Scope, WriteScope } from '../database/workspace-database.js';

export interface LinkRow {
  destination_id: string;
  transformation_id: string;
  created_at: Date;
  updated_at: Date;
}

/** Destinations of one transformation. Its object names them all and must fit one message. */
export const LINKS_MAX = 1_000;

const COLUMNS = 'destination_id, transformation_id, created_at, updated_at';

/** Links each destination to at most one transformation. */
@Injectable()
export class LinkRepository {
  async find(scope: Scope, destinationId: string): Promise<LinkRow | undefined> {
    const [row] = await scope.sql.query<LinkRow[]>(
      `SELECT ${COLUMNS} FROM destination_links WHERE workspace_id = $1 AND destination_id = $2`,
      [scope.workspaceId, destinationId],
    );
    return row;
  }

  /** Links the destinations to the transformation, instead of any other. The transformation must be published. */
  async put(tx: WriteScope, transformationId: string, destinationIds: readonly string[]): Promise<void> {
    await tx.sql.query(
      `INSERT INTO destination_links AS link (workspace_id, destination_id, transformation_id, created_at, updated_at)
       SELECT $1, destination_id, $2, $4, $4 FROM unnest($3::text[]) AS destination_id
       ON CONFLICT (workspace_id, destination_id) DO UPDATE
       SET transformation_id = EXCLUDED.transformation_id, updated_at = EXCLUDED.updated_at
       WHERE link.transformation_id <> EXCLUDED.transformation_id`,
      [tx.workspaceId, transformationId, [...new Set(destinationIds)], tx.at],
    );
    const [total] = await tx.sql.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM destination_links WHERE workspace_id = $1 AND transformation_id = $2',
      [tx.workspaceId, transformationId],
    );
    if (total && total.count > LINKS_MAX) {
      throw new AppError(
        'conflict',
        `one transformation can be connected to ${LINKS_MAX} destinations: use a second one`,
      );
    }
  }

  /** Links the transformation to exactly these destinations. */
  async replaceAll(tx: WriteScope, transformationId: string, destinationIds: readonly string[]): Promise<void> {
    await this.removeAll(tx, transformationId, destinationIds);
    await this.put(tx, transformationId, destinationIds);
  }

  /** Removes the transformation's links except those to `keep`. */
  async removeAll(tx: WriteScope, transformationId: string, keep: readonly string[]): Promise<void> {
    await tx.sql.query(
      `DELETE FROM destination_links
       WHERE workspace_id = $1 AND transformation_id = $2 AND NOT destination_id = ANY($3::text[])`,
      [tx.workspaceId, transformationId, keep],
    );
  }

  /** Links of the transformations that these revisions belong to, by version id. */
  async ofVersions(
    scope: Scope,
    versionIds: readonly string[],
  ): Promise<{ versionId: string; destinationIds: string[] }[]> {
    return scope.sql.query(
      `SELECT r.version_id AS "versionId", ARRAY(
         SELECT l.destination_id FROM destination_links l
         WHERE l.workspace_id = $1 AND l.transformation_id = r.transformation_id ORDER BY l.created_at, l.destination_id
       ) AS "destinationIds"
       FROM transformation_revisions r WHERE r.workspace_id = $1 AND r.version_id = ANY($2)`,
      [scope.workspaceId, versionIds],
    );
  }

  async remove(tx: WriteScope, destinationId: string): Promise<LinkRow | undefined> {
    const [[row]] = await tx.sql.query<[LinkRow[], number]>(
      `DELETE FROM destination_links WHERE workspace_id = $1 AND destination_id = $2 RETURNING ${COLUMNS}`,
      [tx.workspaceId, destinationId],
    );
    return row;
  }
}
