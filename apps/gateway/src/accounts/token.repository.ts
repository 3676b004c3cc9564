import { Injectable } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE, Role } from '@weir/contracts';
import { Database, type Transaction } from '@weir/service-kit';
import { Check, Column, Entity, ForeignKey, Index, IsNull, PrimaryColumn, Unique } from 'typeorm';
import type { Principal } from '../http/principal.js';
import { WorkspaceEntity } from '../inventory/inventory.entity.js';

@Entity('access_tokens')
@Check('access_tokens_role_check', `role IN ('${Role.options.join("', '")}')`)
@Unique('access_tokens_token_hash_key', ['hash'])
@Index('access_tokens_workspace', ['workspaceId', 'createdAt', 'id'], { where: 'revoked_at IS NULL' })
@ForeignKey(() => WorkspaceEntity, ['workspaceId'], ['id'], { name: 'access_tokens_workspace_id_fkey' })
export class TokenEntity {
  @PrimaryColumn({ type: 'text' })
  declare id: string;

  @Column({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @Column({ type: 'text' })
  declare email: string;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare role: Role;

  /** SHA-256. The token itself is shown once and stored nowhere. */
  @Column({ name: 'token_hash', type: 'bytea', select: false })
  declare hash: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  declare createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  declare expiresAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  declare lastUsedAt: Date | null;

  /** A revoked row stays, so that a restart does not bring a revoked bootstrap token back. */
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  declare revokedAt: Date | null;
}

type NewToken = Omit<TokenEntity, 'createdAt' | 'lastUsedAt' | 'revokedAt'>;
type RevokedToken = Pick<TokenEntity, 'workspaceId' | 'role'>;
type FoundToken = Principal & { tokenId: string; isUseStale: boolean };

/** Minimum interval between two writes of a token's last use. */
const LAST_USE_INTERVAL = '1 minute';

@Injectable()
export class TokenRepository {
  constructor(private readonly database: Database) {}

  /** Not scoped by workspace, unlike other lookups: the token determines the workspace. */
  async findLive(hash: Buffer): Promise<FoundToken | undefined> {
    const { rows } = await this.database.run<FoundToken>(
      `SELECT t.id AS "tokenId", t.email, t.role, w.id AS "workspaceId", w.name AS "workspaceName",
         w.allow_fetch AS "allowFetch",
         t.last_used_at IS NULL OR t.last_used_at < now() - $2::interval AS "isUseStale"
       FROM access_tokens t JOIN workspaces w ON w.id = t.workspace_id
       WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`,
      [hash, LAST_USE_INTERVAL],
    );
    return rows[0];
  }

  /** Those of the tokens that still open something. */
  async liveAmong(ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.database.run<{ id: string }>(
      `SELECT id FROM access_tokens
       WHERE id = ANY($1::text[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async touch(workspaceId: string, id: string): Promise<void> {
    await this.database.run(
      `UPDATE access_tokens SET last_used_at = now()
       WHERE workspace_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < now() - $3::interval)`,
      [workspaceId, id, LAST_USE_INTERVAL],
    );
  }

  async insert(tx: Transaction, token: NewToken): Promise<TokenEntity> {
    const tokens = tx.getRepository(TokenEntity);
    await tokens.insert(token);
    return tokens.findOneByOrFail({ id: token.id });
  }

  /** Does nothing if a token with that hash exists, revoked or not. */
  async insertUnlessKnown(tx: Transaction, { workspaceId, id, email, name, role, hash }: NewToken): Promise<void> {
    await tx.run(
      `INSERT INTO access_tokens (workspace_id, id, email, name, role, token_hash)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (token_hash) DO NOTHING`,
      [workspaceId, id, email, name, role, hash],
    );
  }

  countLive(tx: Transaction, workspaceId: string): Promise<number> {
    return tx.getRepository(TokenEntity).countBy({ workspaceId, revokedAt: IsNull() });
  }

  /** One page, oldest first, and the number of all tokens. Revoked tokens are left out. */
  list(workspaceId: string, page: number): Promise<[rows: TokenEntity[], total: number]> {
    return this.database.getRepository(TokenEntity).findAndCount({
      where: { workspaceId, revokedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
      skip: (page - 1) * INVENTORY_PAGE_SIZE,
      take: INVENTORY_PAGE_SIZE,
    });
  }

  /** Undefined if there is no such live token. `workspaceId` null means any workspace, for the admin pair. */
  async revoke(tx: Transaction, workspaceId: string | null, id: string): Promise<RevokedToken | undefined> {
    const { rows } = await tx.run<RevokedToken>(
      `UPDATE access_tokens SET revoked_at = now()
       WHERE id = $1 AND revoked_at IS NULL AND ($2::text IS NULL OR workspace_id = $2)
       RETURNING workspace_id AS "workspaceId", role`,
      [id, workspaceId],
    );
    return rows[0];
  }
}
