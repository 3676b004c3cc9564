import { Injectable } from '@nestjs/common';
import { AppError, type Replaced } from '@weir/contracts';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { PublishedTransformationEntity } from '../revisions/artifact.entity.js';

/** The key allows one transformation per destination. */
@Entity('destination_links')
@Index('destination_links_transformation', ['workspaceId', 'transformationId'])
@ForeignKey(() => PublishedTransformationEntity, ['workspaceId', 'transformationId'], ['workspaceId', 'objectId'], {
  name: 'destination_links_workspace_id_transformation_id_fkey',
})
export class LinkEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @PrimaryColumn({ name: 'destination_id', type: 'text' })
  declare destinationId: string;

  @Column({ name: 'transformation_id', type: 'text' })
  declare transformationId: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  declare createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  declare updatedAt: Date;
}

/** Destinations of one transformation. Its object names them all and must fit one message. */
export const LINKS_MAX = 1_000;

/** Links each destination to at most one transformation. */
@Injectable()
export class LinkRepository {
  async find({ sql, workspaceId }: Scope, destinationId: string): Promise<LinkEntity | undefined> {
    return (await sql.getRepository(LinkEntity).findOneBy({ workspaceId, destinationId })) ?? undefined;
  }

  /** Destinations among these that have another transformation, with that transformation. */
  async others(scope: Scope, transformationId: string, destinationIds: readonly string[]): Promise<Replaced[]> {
    const { rows } = await scope.sql.run<Replaced>(
      `SELECT l.destination_id AS "destinationId", l.transformation_id AS "transformationId", r.name
       FROM destination_links l
       JOIN published_transformations p ON p.workspace_id = l.workspace_id AND p.transformation_id = l.transformation_id
       JOIN transformation_revisions r ON r.workspace_id = p.workspace_id AND r.version_id = p.version_id
       WHERE l.workspace_id = $1 AND l.transformation_id <> $2 AND l.destination_id = ANY($3::text[]) ORDER BY 1`,
      [scope.workspaceId, transformationId, destinationIds],
    );
    return rows;
  }

  /** Links the destinations to the transformation, instead of any other. The transformation must be published. */
  async put({ sql, workspaceId, at }: WriteScope, transformationId: string, destinationIds: readonly string[]) {
    await sql.run(
      `INSERT INTO destination_links AS link (workspace_id, destination_id, transformation_id, created_at, updated_at)
       SELECT $1, destination_id, $2, $4, $4 FROM unnest($3::text[]) AS destination_id
       ON CONFLICT (workspace_id, destination_id) DO UPDATE
       SET transformation_id = EXCLUDED.transformation_id, updated_at = EXCLUDED.updated_at
       WHERE link.transformation_id <> EXCLUDED.transformation_id`,
      [workspaceId, transformationId, [...new Set(destinationIds)], at],
    );
    if ((await sql.getRepository(LinkEntity).countBy({ workspaceId, transformationId })) <= LINKS_MAX) return;
    throw new AppError(
      'conflict',
      `one transformation can be connected to ${LINKS_MAX} destinations: use a second one`,
    );
  }

  /** Links the transformation to exactly these destinations. */
  async replaceAll(tx: WriteScope, transformationId: string, destinationIds: readonly string[]): Promise<void> {
    await this.removeAll(tx, transformationId, destinationIds);
    await this.put(tx, transformationId, destinationIds);
  }

  /** Removes the transformation's links except those to `keep`. */
  async removeAll(tx: WriteScope, transformationId: string, keep: readonly string[]): Promise<void> {
    await tx.sql.run(
      `DELETE FROM destination_links
       WHERE workspace_id = $1 AND transformation_id = $2 AND NOT destination_id = ANY($3::text[])`,
      [tx.workspaceId, transformationId, keep],
    );
  }

  /** Destinations of the transformations that these revisions belong to, by version id. */
  async ofVersions(
    { sql, workspaceId }: Scope,
    versionIds: readonly string[],
  ): Promise<{ versionId: string; destinationIds: string[] }[]> {
    const { rows } = await sql.run<{ versionId: string; destinationIds: string[] }>(
      `SELECT r.version_id AS "versionId", ARRAY(
         SELECT l.destination_id FROM destination_links l
         WHERE l.workspace_id = $1 AND l.transformation_id = r.transformation_id ORDER BY l.created_at, l.destination_id
       ) AS "destinationIds"
       FROM transformation_revisions r WHERE r.workspace_id = $1 AND r.version_id = ANY($2)`,
      [workspaceId, versionIds],
    );
    return rows;
  }

  /** The link that was removed. */
  async remove(tx: WriteScope, destinationId: string): Promise<LinkEntity | undefined> {
    const link = await this.find(tx, destinationId);
    if (link) await tx.sql.getRepository(LinkEntity).delete({ workspaceId: tx.workspaceId, destinationId });
    return link;
  }
}
