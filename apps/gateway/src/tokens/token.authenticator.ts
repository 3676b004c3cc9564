import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { TokenRepository } from './token.repository.js';
import { emailMatches, hashOf } from './token.rules.js';

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
