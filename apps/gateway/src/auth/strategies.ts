import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AppError } from '@weir/contracts';
import { CONFIG } from '@weir/service-kit';
import { BasicStrategy } from 'passport-http';
import { Strategy } from 'passport-http-bearer';
import { TokenAuthenticator } from '../accounts/token.service.js';
import type { Config } from '../config.js';
import type { Principal } from '../http/principal.js';
import { type BasicCredentials, readBasic, readBearer } from '../http/request.js';

interface WithHeaders {
  headers: { authorization?: string };
}

/**
 * passport-http without its traps. The original refuses an empty user (`:token`) or password (`writeKey:`), cuts a password at
 * its second colon, and accepts "Basic" anywhere in the scheme.
 */
export class HttpBasicStrategy extends BasicStrategy {
  authenticate(request: WithHeaders): void {
    const credentials = readBasic(request.headers.authorization);
    if (!credentials) this.fail('Basic');
    else this.verify(credentials);
  }

  private verify({ user, password }: BasicCredentials): void {
    this._verify(user, password, (error, principal) => {
      if (error) this.error(error);
      else if (principal) this.success(principal);
      else this.fail('Basic');
    });
  }
}

/** passport-http-bearer without `access_token` in query and body, where tokens would reach logs. */
export class HttpBearerStrategy extends Strategy {
  authenticate(request: WithHeaders): void {
    const token = readBearer(request.headers.authorization);
    if (token === undefined) this.fail('Bearer');
    else this.verify(token);
  }

  private verify(token: string): void {
    this._verify(token, (error, principal) => {
      if (error) this.error(error);
      else if (principal) this.success(principal);
      else this.fail('Bearer');
    });
  }
}

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

export const ADMIN = 'admin';

/** `Basic` with the admin pair of the data plane (spec 5.3). Refuses everybody if the pair is unset. */
@Injectable()
export class AdminStrategy extends PassportStrategy(HttpBasicStrategy, ADMIN) {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'admin'>) {
    super();
  }

  validate(user: string, password: string): true {
    const { admin } = this.config;
    // Always compares both, so that timing does not reveal which one was wrong.
    const matches = [same(user, admin?.user ?? ''), same(password, admin?.password ?? '')];
    if (!admin || matches.includes(false)) throw new AppError('unauthenticated', 'Invalid admin credentials');
    return true;
  }
}

/** Compares digests, because they have equal length. */
function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
