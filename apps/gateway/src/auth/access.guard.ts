import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { isAppError } from '@weir/contracts';
import { apiOf } from '../http/api.js';
import { AREA_RULES, type Scheme } from '../http/areas.js';
import { unknownPath } from '../http/problem.js';
import type { Request } from '../http/request.js';
import { AdminGuesses } from './admin-guesses.js';
import { readBasic } from './authorization.js';
import { AdminGuard, TokenGuard } from './guards.js';
import type { Principal } from './principal.js';
import { requireAccess } from './roles.js';
import { AuthThrottle } from './throttle.js';

/** Guards every route: checks credentials by area and roles by annotation. A route without annotation does not exist. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger(AccessGuard.name);
  private readonly schemes: Partial<Record<Scheme, CanActivate>>;

  constructor(
    tokens: TokenGuard,
    admin: AdminGuard,
    private readonly throttle: AuthThrottle,
    private readonly guesses: AdminGuesses,
  ) {
    this.schemes = { token: tokens, admin };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const api = apiOf(context.getHandler());
    if (api?.access === 'none') return true;
    const scheme = api && AREA_RULES[api.area].scheme;
    const guard = scheme && this.schemes[scheme];
    if (!guard) {
      this.logger.error(`${context.getClass().name}.${context.getHandler().name} says in no @Api who may call it`);
      throw unknownPath();
    }
    const request = context.switchToHttp().getRequest<Request & { user: Principal }>();
    if (scheme === 'admin') await this.authenticateAdmin(guard, context, request);
    else await this.authenticate(guard, context, request);
    if (scheme === 'token') requireAccess(request.user.role, api.access);
    return true;
  }

  private async authenticate(guard: CanActivate, context: ExecutionContext, request: Request): Promise<void> {
    try {
      await guard.canActivate(context);
    } catch (error) {
      const { authorization } = request.headers;
      const isWrong = isAppError(error) && error.code === 'unauthenticated' && authorization !== undefined;
      if (isWrong) await this.throttle.slowToken(authorization, request.ip);
      throw error;
    }
  }

  /** A chosen password can be guessed, so this refuses a pair unchecked after too many wrong ones. */
  private async authenticateAdmin(guard: CanActivate, context: ExecutionContext, request: Request): Promise<void> {
    const pair = readBasic(request.headers.authorization);
    const attempt = pair && this.guesses.admit({ ...pair, address: request.ip });
    await guard.canActivate(context);
    attempt?.succeeded();
  }
}
