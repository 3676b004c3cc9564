import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, notFound, unknownId } from '@weir/contracts';
import { Database, newKsuid } from '@weir/service-kit';
import type { z } from 'zod';
import { recordAct } from '../acts/acting.js';
import { pagingOf } from '../http/lists.js';
import type { Principal } from '../http/principal.js';
import { lockWorkspace } from '../inventory/inventory.entity.js';
import type { AccessToken, CreatedToken, CreateTokenBody, TokenList } from './account.schemas.js';
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

/** No token is longer. Refuses longer texts before hashing them. */
const TOKEN_LENGTH_MAX = 512;

/** Queries the database on each request, so that revoking a token takes effect at once in every replica. */
@Injectable()
export class TokenAuthenticator {
  constructor(private readonly tokens: TokenRepository) {}

  /** Null if the token is unknown, revoked, expired, or belongs to another e-mail address. */
  async authenticate(token: string, email?: string): Promise<Principal | null> {
    if (token === '' || token.length > TOKEN_LENGTH_MAX) return null;
    const found = await this.tokens.findLive(hashOf(token));
    if (!found || !emailMatches(email, found.email)) return null;
    const { isUseStale, ...principal } = found;
    if (isUseStale) await this.tokens.touch(principal.workspaceId, principal.tokenId);
    return principal;
  }
}

/** Identifies a leaked token. Secret scanners look for this prefix. */
export const TOKEN_PREFIX = 'weir_';
const SECRET_BYTES = 32;

/** 256 random bits. Shown once, never stored. */
export const newToken = (): string => TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');

/** The stored form of a token. Plain SHA-256 suffices, because random bits cannot be guessed. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** An empty user name skips the check (wire-facts 0.1). Ignores the case of e-mail addresses. */
export const emailMatches = (given: string | undefined, owner: string): boolean =>
  !given || given.toLowerCase() === owner.toLowerCase();
