import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { type PageQuery, refuseWhenFull, selectPage } from './inventory.sql.js';

export interface ConnectionRow {
  id: string;
  workspaceId: string;
  sourceId: string;
  destinationId: string;
  enabled: boolean;
  externalId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

type Settings = Pick<ConnectionRow, 'sourceId' | 'destinationId' | 'enabled'>;
export type NewConnection = Settings & Pick<ConnectionRow, 'id' | 'externalId'>;

const COLUMNS = `id, workspace_id AS "workspaceId", source_id AS "sourceId", destination_id AS "destinationId", enabled,
  external_id AS "externalId", created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class ConnectionRepository {
  constructor(private readonly database: DataSource) {}

  list(workspaceId: string, query: PageQuery): Promise<{ rows: ConnectionRow[]; total: number }> {
    return selectPage(this.database, workspaceId, { table: 'connections', columns: COLUMNS }, query);
  }

  /** Connections of one source, in order of creation. */
  listOfSource(workspaceId: string, sourceId: string): Promise<ConnectionRow[]> {
    return this.database.query<ConnectionRow[]>(
      `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $1 AND source_id = $2 ORDER BY created_at, id`,
      [workspaceId, sourceId],
    );
  }

  /** Write keys of the sources that send to any of these destinations, oldest connection first. */
  async writeKeysTo(workspaceId: string, destinationIds: readonly string[], limit: number): Promise<string[]> {
    const rows = await this.database.query<{ writeKey: string }[]>(
      `SELECT s.write_key AS "writeKey" FROM connections c
       JOIN sources s ON s.workspace_id = c.workspace_id AND s.id = c.source_id
       WHERE c.workspace_id = $1 AND c.destination_id = ANY($2) AND c.enabled
       GROUP BY s.write_key ORDER BY min(c.created_at), s.write_key LIMIT $3`,
      [workspaceId, destinationIds, limit],
    );
    return rows.map(({ writeKey }) => writeKey);
  }

  async find(workspaceId: string, id: string): Promise<ConnectionRow | undefined> {
    const [row] = await this.database.query<ConnectionRow[]>(
      `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id],
    );
    return row;
  }

  async findPair(sql: Sql, workspaceId: string, { sourceId, destinationId }: Omit<Settings, 'enabled'>) {
    const [row] = await sql.query<ConnectionRow[]>(
      `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $1 AND source_id = $2 AND destination_id = $3`,
      [workspaceId, sourceId, destinationId],
    );
    return row;
  }

  /** Locks the row until the transaction ends. */
  async lock(sql: Sql, workspaceId: string, id: string): Promise<ConnectionRow | undefined> {
    const [row] = await sql.query<ConnectionRow[]>(
      `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
      [workspaceId, id],
    );
    return row;
  }

  async insert(sql: Sql, workspaceId: string, connection: NewConnection): Promise<ConnectionRow> {
    await refuseWhenFull(sql, workspaceId, 'connections');
    const { id, externalId, sourceId, destinationId, enabled } = connection;
    const [row] = await sql.query<[ConnectionRow]>(
      `INSERT INTO connections (workspace_id, id, external_id, source_id, destination_id, enabled)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`,
      [workspaceId, id, externalId, sourceId, destinationId, enabled],
    );
    return row;
  }

  async update(sql: Sql, workspaceId: string, id: string, settings: Settings): Promise<ConnectionRow> {
    const [[row]] = await sql.query<[[ConnectionRow], number]>(
      `UPDATE connections SET source_id = $3, destination_id = $4, enabled = $5, updated_at = now()
       WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [workspaceId, id, settings.sourceId, settings.destinationId, settings.enabled],
    );
    return row;
  }

  /** Returns false if there was no such connection. */
  async remove(sql: Sql, workspaceId: string, id: string): Promise<boolean> {
    const [rows] = await sql.query<[ConnectionRow[], number]>(
      'DELETE FROM connections WHERE workspace_id = $1 AND id = $2 RETURNING id',
      [workspaceId, id],
    );
    return rows.length > 0;
  }

  /** Removes the connections of a deleted source or destination and returns their ids. */
  async removeOf(sql: Sql, workspaceId: string, end: { sourceId: string } | { destinationId: string }) {
    const [column, id] = 'sourceId' in end ? ['source_id', end.sourceId] : ['destination_id', end.destinationId];
    const [rows] = await sql.query<[{ id: string }[], number]>(
      `DELETE FROM connections WHERE workspace_id = $1 AND ${column} = $2 RETURNING id`,
      [workspaceId, id],
    );
    return rows.map((row) => row.id);
  }
}
