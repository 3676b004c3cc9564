import { Injectable } from '@nestjs/common';
import { AppError, notFound, unknownId } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import type { z } from 'zod';
import { pagingOf } from '../http/fields.js';
import { WorkspaceRepository } from '../workspaces/workspace.repository.js';
import { TokenRepository, type TokenRow } from './token.repository.js';
import { hashOf, newToken } from './token.rules.js';
import type { AccessToken, CreatedToken, CreateTokenBody, TokenList } from './token.schemas.js';

/** Most live tokens of one workspace. */
export const TOKENS_MAX = 1_000;

@Injectable()
export class TokenService {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  async create(body: CreateTokenBody): Promise<z.output<typeof CreatedToken>> {
    if (!(await this.workspaces.find(body.workspaceId))) throw unknownId('workspaceId', 'workspace', body.workspaceId);
    if ((await this.tokens.countLive(body.workspaceId)) >= TOKENS_MAX) {
      throw new AppError('conflict', `A workspace has at most ${TOKENS_MAX} tokens: revoke one first`);
    }
    const token = newToken();
    const row = await this.tokens.insert({
      ...body,
      id: newKsuid(),
      expiresAt: body.expiresAt ?? null,
      hash: hashOf(token),
    });
    if (!row) throw new AppError('internal', 'a new token collided');
    return { accessToken: { ...shown(row), token } };
  }

  /** `path` is the path of the list, for the link to the next page. */
  async list(workspaceId: string, page: number, path: string, filters = {}): Promise<z.output<typeof TokenList>> {
    const [rows, total] = await Promise.all([this.tokens.list(workspaceId, page), this.tokens.countLive(workspaceId)]);
    return { accessTokens: rows.map(shown), paging: pagingOf(path, page, total, filters) };
  }

  /**
   * Takes effect at once, because every request queries the database. `workspaceId` null means any workspace, for the admin pair.
   */
  async revoke(workspaceId: string | null, id: string): Promise<void> {
    if (!(await this.tokens.revoke(workspaceId, id))) throw notFound('access token');
  }
}

function shown({ createdAt, expiresAt, lastUsedAt, ...rest }: TokenRow): AccessToken {
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
