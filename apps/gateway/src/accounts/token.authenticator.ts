import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../http/principal.js';
import { TokenRepository } from './token.repository.js';

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
