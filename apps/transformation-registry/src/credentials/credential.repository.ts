import { Injectable } from '@nestjs/common';
import type { PutCredential, RequestOf } from '@weir/contracts';
import type { Scope, WriteScope } from '../database/workspace-database.js';

export interface CredentialRow {
  key: string;
  is_secret: boolean;
  sealed_value: string;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'key, is_secret, sealed_value, created_by, created_at, updated_at';

/** Encrypted values by workspace and key. */
@Injectable()
export class CredentialRepository {
  list(scope: Scope): Promise<CredentialRow[]> {
    return scope.sql.query(`SELECT ${COLUMNS} FROM credentials WHERE workspace_id = $1 ORDER BY key`, [
      scope.workspaceId,
    ]);
  }

  async put(tx: WriteScope, credential: Omit<RequestOf<typeof PutCredential>, 'workspaceId'>): Promise<CredentialRow> {
    const { key, isSecret, sealedValue, createdBy } = credential;
    const [row] = await tx.sql.query<[CredentialRow]>(
      `INSERT INTO credentials (workspace_id, key, is_secret, sealed_value, created_by, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)
       ON CONFLICT (workspace_id, key) DO UPDATE
       SET is_secret = EXCLUDED.is_secret, sealed_value = EXCLUDED.sealed_value, updated_at = EXCLUDED.updated_at
       RETURNING ${COLUMNS}`,
      [tx.workspaceId, key, isSecret, sealedValue, createdBy, tx.at],
    );
    return row;
  }

  async size(scope: Scope): Promise<{ count: number; bytes: number }> {
    const [size] = await scope.sql.query<{ count: number; bytes: number }[]>(
      `SELECT count(*)::int AS count, coalesce(sum(length(sealed_value)), 0)::int AS bytes
       FROM credentials WHERE workspace_id = $1`,
      [scope.workspaceId],
    );
    return size ?? { count: 0, bytes: 0 };
  }

  /** False if there was none. */
  async remove(tx: WriteScope, key: string): Promise<boolean> {
    const [, removed] = await tx.sql.query<[unknown[], number]>(
      'DELETE FROM credentials WHERE workspace_id = $1 AND key = $2',
      [tx.workspaceId, key],
    );
    return removed > 0;
  }
}
