import { Injectable } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE, type Role } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import type { Principal } from '../auth/principal.js';

export interface TokenRow {
  id: string;
  workspaceId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

export type NewToken = Pick<TokenRow, 'id' | 'workspaceId' | 'email' | 'name' | 'role' | 'expiresAt'> & {
  hash: Buffer;
};

const COLUMNS = `id, workspace_id AS "workspaceId", email, name, role, created_at AS "createdAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt"`;

/** Minimum interval between two writes of a token's last use. */
const LAST_USE_INTERVAL = '1 minute';

@Injectable()
export class TokenRepository {
  constructor(private readonly database: DataSource) {}

  /** Not scoped by workspace, unlike other lookups: the token determines the workspace. */
  async findLive(hash: Buffer): Promise<(Principal & { isUseStale: boolean }) | undefined> {
    const [row] = await this.database.query<(Principal & { isUseStale: boolean })[]>(
      `SELECT t.id AS "tokenId", t.email, t.role, w.id AS "workspaceId", w.name AS "workspaceName",
         w.allow_fetch AS "allowFetch",
         t.last_used_at IS NULL OR t.last_used_at < now() - $2::interval AS "isUseStale"
       FROM access_tokens t JOIN workspaces w ON w.id = t.workspace_id
       WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`,
      [hash, LAST_USE_INTERVAL],
    );
    return row;
  }

  async touch(workspaceId: string, id: string): Promise<void> {
    await this.database.query(
      `UPDATE access_tokens SET last_used_at = now()
       WHERE workspace_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < now() - $3::interval)`,
      [workspaceId, id, LAST_USE_INTERVAL],
    );
  }

  /** Undefined if a token with that hash exists, revoked or not. */
  async insert(token: NewToken, sql: Sql = this.database): Promise<TokenRow | undefined> {
    const [row] = await sql.query<TokenRow[]>(
      `INSERT INTO access_tokens (workspace_id, id, email, name, role, expires_at, token_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (token_hash) DO NOTHING RETURNING ${COLUMNS}`,
      [token.workspaceId, token.id, token.email, token.name, token.role, token.expiresAt, token.hash],
    );
    return row;
  }

  async countLive(workspaceId: string): Promise<number> {
    const [row] = await this.database.query<{ total: number }[]>(
      'SELECT count(*)::int AS total FROM access_tokens WHERE workspace_id = $1 AND revoked_at IS NULL',
      [workspaceId],
    );
    return row?.total ?? 0;
  }

  /** Oldest first, without revoked tokens. */
  list(workspaceId: string, page: number): Promise<TokenRow[]> {
    return this.database.query<TokenRow[]>(
      `SELECT ${COLUMNS} FROM access_tokens WHERE workspace_id = $1 AND revoked_at IS NULL
       ORDER BY created_at, id LIMIT ${INVENTORY_PAGE_SIZE} OFFSET $2`,
      [workspaceId, (page - 1) * INVENTORY_PAGE_SIZE],
    );
  }

  /** Returns false if there is no such live token. `workspaceId` null means any workspace, for the admin pair. */
  async revoke(workspaceId: string | null, id: string): Promise<boolean> {
    const [rows] = await this.database.query<[{ id: string }[], number]>(
      `UPDATE access_tokens SET revoked_at = now()
       WHERE ($1::text IS NULL OR workspace_id = $1) AND id = $2 AND revoked_at IS NULL RETURNING id`,
      [workspaceId, id],
    );
    return rows.length > 0;
  }
}
