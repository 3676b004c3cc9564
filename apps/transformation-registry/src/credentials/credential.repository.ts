import { Injectable } from '@nestjs/common';
import type { PutCredential, RequestOf, ResealCredential } from '@weir/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope, WriteScope } from '../database/workspace-database.js';

@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @PrimaryColumn({ type: 'text' })
  declare key: string;

  @Column({ name: 'is_secret', type: 'boolean' })
  declare isSecret: boolean;

  /** Encrypted by the gateway, bound to workspace and key. Nothing here can open it. */
  @Column({ name: 'sealed_value', type: 'text' })
  declare sealedValue: string;

  @Column({ name: 'created_by', type: 'text' })
  declare createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  declare createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  declare updatedAt: Date;
}

/** Encrypted values by workspace and key. */
@Injectable()
export class CredentialRepository {
  list({ sql, workspaceId }: Scope): Promise<CredentialEntity[]> {
    return sql.getRepository(CredentialEntity).find({ where: { workspaceId }, order: { key: 'ASC' } });
  }

  /** An existing credential keeps its author and the time of its creation. */
  async put(
    tx: WriteScope,
    credential: Omit<RequestOf<typeof PutCredential>, 'workspaceId'>,
  ): Promise<CredentialEntity> {
    const { key, isSecret, sealedValue, createdBy } = credential;
    const { workspaceId } = tx;
    await tx.sql.run(
      `INSERT INTO credentials (workspace_id, key, is_secret, sealed_value, created_by, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)
       ON CONFLICT (workspace_id, key) DO UPDATE
       SET is_secret = EXCLUDED.is_secret, sealed_value = EXCLUDED.sealed_value, updated_at = EXCLUDED.updated_at`,
      [workspaceId, key, isSecret, sealedValue, createdBy, tx.at],
    );
    return tx.sql.getRepository(CredentialEntity).findOneByOrFail({ workspaceId, key });
  }

  /** The same value under another key, unless it has changed since. */
  async reseal(
    { sql, workspaceId }: WriteScope,
    { key, from, to }: Omit<RequestOf<typeof ResealCredential>, 'workspaceId'>,
  ): Promise<void> {
    const unchanged = { workspaceId, key, sealedValue: from };
    await sql.getRepository(CredentialEntity).update(unchanged, { sealedValue: to });
  }

  async size({ sql, workspaceId }: Scope): Promise<{ count: number; bytes: number }> {
    const { rows } = await sql.run<{ count: number; bytes: number }>(
      `SELECT count(*)::int AS count, coalesce(sum(length(sealed_value)), 0)::int AS bytes
       FROM credentials WHERE workspace_id = $1`,
      [workspaceId],
    );
    return rows[0] ?? { count: 0, bytes: 0 };
  }

  /** False if there was none. */
  async remove({ sql, workspaceId }: WriteScope, key: string): Promise<boolean> {
    const { affected } = await sql.getRepository(CredentialEntity).delete({ workspaceId, key });
    return affected === 1;
  }
}
