import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { type PageQuery, refuseWhenFull, selectPage } from './inventory.sql.js';

export interface SourceRow {
  id: string;
  workspaceId: string;
  name: string;
  type: string;
  writeKey: string;
  enabled: boolean;
  config: JsonObject;
  geoEnrichmentEnabled: boolean;
  transient: boolean;
  createdAt: Date;
  updatedAt: Date;
}

type Settings = Pick<SourceRow, 'name' | 'enabled' | 'config' | 'geoEnrichmentEnabled' | 'transient'>;
export type NewSource = Settings & Pick<SourceRow, 'id' | 'type' | 'writeKey'>;

const COLUMNS = `id, workspace_id AS "workspaceId", name, type, write_key AS "writeKey", enabled, config,
  geo_enrichment_enabled AS "geoEnrichmentEnabled", transient, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Reads use the database directly. Changes run in the caller's transaction (`sql`). */
@Injectable()
export class SourceRepository {
  constructor(private readonly database: DataSource) {}

  list(workspaceId: string, query: PageQuery): Promise<{ rows: SourceRow[]; total: number }> {
    return selectPage(this.database, workspaceId, { table: 'sources', columns: COLUMNS }, query);
  }

  async find(workspaceId: string, id: string): Promise<SourceRow | undefined> {
    return (await this.findMany(workspaceId, [id]))[0];
  }

  findMany(workspaceId: string, ids: readonly string[]): Promise<SourceRow[]> {
    return this.database.query<SourceRow[]>(`SELECT ${COLUMNS} FROM sources WHERE workspace_id = $1 AND id = ANY($2)`, [
      workspaceId,
      ids,
    ]);
  }

  /** Locks the row until the transaction ends: against any change (`update`), or only against deletion (`key share`). */
  async lock(sql: Sql, workspaceId: string, id: string, strength: 'update' | 'key share') {
    const [row] = await sql.query<SourceRow[]>(
      `SELECT ${COLUMNS} FROM sources WHERE workspace_id = $1 AND id = $2 FOR ${strength}`,
      [workspaceId, id],
    );
    return row;
  }

  async insert(sql: Sql, workspaceId: string, source: NewSource): Promise<SourceRow> {
    await refuseWhenFull(sql, workspaceId, 'sources');
    const [row] = await sql.query<[SourceRow]>(
      `INSERT INTO sources (workspace_id, id, write_key, type, name, enabled, config, geo_enrichment_enabled, transient)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
      [workspaceId, source.id, source.writeKey, source.type, ...settingsOf(source)],
    );
    return row;
  }

  async update(sql: Sql, workspaceId: string, id: string, settings: Settings): Promise<SourceRow> {
    const [[row]] = await sql.query<[[SourceRow], number]>(
      `UPDATE sources SET name = $3, enabled = $4, config = $5, geo_enrichment_enabled = $6, transient = $7,
         updated_at = now()
       WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [workspaceId, id, ...settingsOf(settings)],
    );
    return row;
  }

  async remove(sql: Sql, workspaceId: string, id: string): Promise<void> {
    await sql.query('DELETE FROM sources WHERE workspace_id = $1 AND id = $2', [workspaceId, id]);
  }
}

const settingsOf = ({ name, enabled, config, geoEnrichmentEnabled, transient }: Settings) => [
  name,
  enabled,
  JSON.stringify(config),
  geoEnrichmentEnabled,
  transient,
];
