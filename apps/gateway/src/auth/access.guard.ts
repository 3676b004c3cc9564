import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { isAppError } from '@weir/contracts';
import { apiOf } from '../http/api.js';
import { AREA_RULES, type Scheme } from '../http/areas.js';
import { unknownPath } from '../http/problem.js';
import type { Request } from '../http/request.js';
import { AdminGuard, TokenGuard } from './guards.js';
import type { Principal } from './principal.js';
import { requireAccess } from './roles.js';
import { AuthThrottle } from './throttle.js';

/** Stands before every route: credentials by area, roles by annotation. A route without annotation is not there. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger(AccessGuard.name);
  private readonly schemes: Partial<Record<Scheme, CanActivate>>;

  constructor(
    tokens: TokenGuard,
    admin: AdminGuard,
    private readonly throttle: AuthThrottle,
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
    await this.authenticate(guard, context, request);
    if (scheme === 'token') requireAccess(request.user.role, api.access);
    return true;
  }

  private async authenticate(guard: CanActivate, context: ExecutionContext, request: Request): Promise<void> {
    try {
      await guard.canActivate(context);
    } catch (error) {
      if (isAppError(error) && error.code === 'unauthenticated') await this.slow(request);
      throw error;
    }
  }

  private slow(request: Request): Promise<void> {
    const { authorization } = request.headers;
    return authorization === undefined ? Promise.resolve() : this.throttle.slow(authorization, request.ip);
  }
}
