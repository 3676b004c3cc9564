import { Injectable } from '@nestjs/common';
import { AppError, notFound, unknownId } from '@weir/contracts';
import { Database, newKsuid } from '@weir/service-kit';
import type { z } from 'zod';
import { recordAct } from '../acts/acting.js';
import { pagingOf } from '../http/lists.js';
import { lockWorkspace } from '../inventory/inventory.entity.js';
import type { AccessToken, CreatedToken, CreateTokenBody, TokenList } from './account.schemas.js';
import { hashOf, newToken } from './token.authenticator.js';
import { type TokenEntity, TokenRepository } from './token.repository.js';

/** Most live tokens of one workspace. */
const TOKENS_MAX = 1_000;

@Injectable()
export class TokenService {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokenRepository,
  ) {}

  create({ workspaceId, ...body }: CreateTokenBody): Promise<z.output<typeof CreatedToken>> {
    return this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, workspaceId))) throw unknownId('workspaceId', 'workspace', workspaceId);
      if ((await this.tokens.countLive(tx, workspaceId)) >= TOKENS_MAX) {
        throw new AppError('conflict', `A workspace has at most ${TOKENS_MAX} tokens: revoke one first`);
      }
      const token = newToken();
      const { expiresAt = null, ...owner } = body;
      const stored = { ...owner, workspaceId, id: newKsuid(), expiresAt, hash: hashOf(token) };
      const inserted = await this.tokens.insert(tx, stored);
      await recordAct(tx, { kind: 'access_token', id: inserted.id, workspaceId, details: { role: inserted.role } });
      return { accessToken: { ...shown(inserted), token } };
    });
  }

  /** `path` is the path of the list, for the link to the next page. */
  async list(workspaceId: string, page: number, path: string, filters = {}): Promise<z.output<typeof TokenList>> {
    const [rows, total] = await this.tokens.list(workspaceId, page);
    return { accessTokens: rows.map(shown), paging: pagingOf(path, page, total, filters) };
  }

  /**
   * Takes effect at once, because every request queries the database. `workspaceId` null means any workspace, for the admin pair.
   */
  async revoke(workspaceId: string | null, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const revoked = await this.tokens.revoke(tx, workspaceId, id);
      if (!revoked) throw notFound('access token');
      const { role } = revoked;
      await recordAct(tx, {
        kind: 'access_token',
        id,
        workspaceId: revoked.workspaceId,
        verb: 'revoked',
        details: { role },
      });
    });
  }
}

function shown({ id, workspaceId, email, name, role, createdAt, expiresAt, lastUsedAt }: TokenEntity): AccessToken {
  return {
    ...{ id, workspaceId, email, name, role },
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
