import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { TokenAuthenticator } from '../tokens/token.authenticator.js';
import { HttpBearerStrategy } from './http-bearer.strategy.js';
import type { Principal } from './principal.js';

export const TOKEN_BEARER = 'token-bearer';

@Injectable()
export class TokenBearerStrategy extends PassportStrategy(HttpBearerStrategy, TOKEN_BEARER) {
  constructor(private readonly tokens: TokenAuthenticator) {
    super();
  }

  validate(token: string): Promise<Principal | null> {
    return this.tokens.authenticate(token);
  }
}
