import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { type PageQuery, refuseWhenFull, selectPage } from './inventory.sql.js';

export interface DestinationRow {
  id: string;
  workspaceId: string;
  name: string;
  type: string;
  enabled: boolean;
  sealedConfig: string;
  externalId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

type Settings = Pick<DestinationRow, 'name' | 'enabled' | 'sealedConfig'>;
export type NewDestination = Settings & Pick<DestinationRow, 'id' | 'type' | 'externalId'>;

const COLUMNS = `id, workspace_id AS "workspaceId", name, type, enabled, sealed_config AS "sealedConfig",
  external_id AS "externalId", created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class DestinationRepository {
  constructor(private readonly database: DataSource) {}

  list(workspaceId: string, query: PageQuery): Promise<{ rows: DestinationRow[]; total: number }> {
    return selectPage(this.database, workspaceId, { table: 'destinations', columns: COLUMNS }, query);
  }

  /** All destinations of a workspace in order of creation. OBJECTS_MAX bounds their number. */
  listAll(workspaceId: string): Promise<DestinationRow[]> {
    return this.database.query<DestinationRow[]>(
      `SELECT ${COLUMNS} FROM destinations WHERE workspace_id = $1 ORDER BY created_at, id`,
      [workspaceId],
    );
  }

  async find(workspaceId: string, id: string): Promise<DestinationRow | undefined> {
    return (await this.findMany(workspaceId, [id]))[0];
  }

  findMany(workspaceId: string, ids: readonly string[]): Promise<DestinationRow[]> {
    return this.database.query<DestinationRow[]>(
      `SELECT ${COLUMNS} FROM destinations WHERE workspace_id = $1 AND id = ANY($2)`,
      [workspaceId, ids],
    );
  }

  /** Locks the row until the transaction ends: against any change (`update`), or only against deletion (`key share`). */
  async lock(sql: Sql, workspaceId: string, id: string, strength: 'update' | 'key share') {
    const [row] = await sql.query<DestinationRow[]>(
      `SELECT ${COLUMNS} FROM destinations WHERE workspace_id = $1 AND id = $2 FOR ${strength}`,
      [workspaceId, id],
    );
    return row;
  }

  async insert(sql: Sql, workspaceId: string, destination: NewDestination): Promise<DestinationRow> {
    await refuseWhenFull(sql, workspaceId, 'destinations');
    const { id, type, externalId, name, enabled, sealedConfig } = destination;
    const [row] = await sql.query<[DestinationRow]>(
      `INSERT INTO destinations (workspace_id, id, type, external_id, name, enabled, sealed_config)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
      [workspaceId, id, type, externalId, name, enabled, sealedConfig],
    );
    return row;
  }

  async update(sql: Sql, workspaceId: string, id: string, settings: Settings): Promise<DestinationRow> {
    const [[row]] = await sql.query<[[DestinationRow], number]>(
      `UPDATE destinations SET name = $3, enabled = $4, sealed_config = $5, updated_at = now()
       WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [workspaceId, id, settings.name, settings.enabled, settings.sealedConfig],
    );
    return row;
  }

  async remove(sql: Sql, workspaceId: string, id: string): Promise<void> {
    await sql.query('DELETE FROM destinations WHERE workspace_id = $1 AND id = $2', [workspaceId, id]);
  }
}
