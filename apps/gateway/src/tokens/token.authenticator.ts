import { Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { TokenRepository } from './token.repository.js';
import { emailMatches, hashOf } from './token.rules.js';

/** Longer than any token: what is longer is refused before it is hashed. */
const TOKEN_LENGTH_MAX = 512;

/** Asks the database with every request, so that a revoked token ends at once, in every replica. */
@Injectable()
export class TokenAuthenticator {
  constructor(private readonly tokens: TokenRepository) {}

  /** Null for whatever is wrong: unknown, revoked, expired or not that e-mail's. */
  async authenticate(token: string, email?: string): Promise<Principal | null> {
    if (token === '' || token.length > TOKEN_LENGTH_MAX) return null;
    const found = await this.tokens.findLive(hashOf(token));
    if (!found || !emailMatches(email, found.email)) return null;
    const { isUseStale, ...principal } = found;
    if (isUseStale) await this.tokens.touch(principal.workspaceId, principal.tokenId);
    return principal;
  }
}
