import { Injectable } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';

export interface WorkspaceRow {
  id: string;
  name: string;
  allowFetch: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = 'id, name, allow_fetch AS "allowFetch", created_at AS "createdAt", updated_at AS "updatedAt"';

@Injectable()
export class WorkspaceRepository {
  constructor(private readonly database: DataSource) {}

  async insert({ id, name }: Pick<WorkspaceRow, 'id' | 'name'>): Promise<WorkspaceRow> {
    const [row] = await this.database.query<[WorkspaceRow]>(
      `INSERT INTO workspaces (id, name) VALUES ($1, $2) RETURNING ${COLUMNS}`,
      [id, name],
    );
    return row;
  }

  async find(id: string): Promise<WorkspaceRow | undefined> {
    const [row] = await this.database.query<WorkspaceRow[]>(`SELECT ${COLUMNS} FROM workspaces WHERE id = $1`, [id]);
    return row;
  }

  async setAllowFetch(sql: Sql, id: string, allowFetch: boolean): Promise<WorkspaceRow | undefined> {
    const [[row]] = await sql.query<[WorkspaceRow[], number]>(
      `UPDATE workspaces SET allow_fetch = $2, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, allowFetch],
    );
    return row;
  }

  async count(): Promise<number> {
    const [row] = await this.database.query<[{ total: number }]>('SELECT count(*)::int AS total FROM workspaces');
    return row.total;
  }

  /** Oldest first. */
  list(page: number): Promise<WorkspaceRow[]> {
    return this.database.query<WorkspaceRow[]>(
      `SELECT ${COLUMNS} FROM workspaces ORDER BY created_at, id LIMIT ${INVENTORY_PAGE_SIZE} OFFSET $1`,
      [(page - 1) * INVENTORY_PAGE_SIZE],
    );
  }

  /** The bootstrap workspace. Creates it with these values if there is none. Safe to call from two processes at once. */
  async ensureBootstrap({ id, name }: Pick<WorkspaceRow, 'id' | 'name'>, sql: Sql): Promise<WorkspaceRow> {
    await sql.query(
      `INSERT INTO workspaces (id, name, is_bootstrap) VALUES ($1, $2, true)
       ON CONFLICT (is_bootstrap) WHERE is_bootstrap DO NOTHING`,
      [id, name],
    );
    const [row] = await sql.query<[WorkspaceRow]>(`SELECT ${COLUMNS} FROM workspaces WHERE is_bootstrap`);
    return row;
  }
}
