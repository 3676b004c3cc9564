import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { TokenAuthenticator } from '../tokens/token.authenticator.js';
import { HttpBasicStrategy } from './http-basic.strategy.js';
import type { Principal } from './principal.js';

export const TOKEN_BASIC = 'token-basic';

/** `Basic email:token` and `Basic :token` (wire-facts 0.1). */
@Injectable()
export class TokenBasicStrategy extends PassportStrategy(HttpBasicStrategy, TOKEN_BASIC) {
  constructor(private readonly tokens: TokenAuthenticator) {
    super();
  }

  validate(email: string, token: string): Promise<Principal | null> {
    return this.tokens.authenticate(token, email);
  }
}
