import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { type AppError, isAppError } from '@weir/contracts';
import { CONFIG } from '@weir/service-kit';
import { TOKEN_PREFIX } from '../accounts/token.service.js';
import type { Config } from '../config.js';
import { OperatorSessions } from '../console/operator.sessions.js';
import { SessionAuthenticator } from '../console/session.authenticator.js';
import { apiOf } from '../http/api.js';
import { AREA_RULES, type Scheme } from '../http/areas.js';
import type { Principal } from '../http/principal.js';
import { areaOf, type Request, readBasic } from '../http/request.js';
import { requireRole, rolesOf } from '../http/roles.js';
import { cookieIn, requireOwnPage, requireShownSession, sessionSecretOf } from '../http/session-cookie.js';
import { unknownPath } from '../http/status.js';
import { AuthThrottle } from '../http/throttle.js';
import { AdminGuesses } from './admin-guesses.js';
import { adminRefusal, operatorRefusal, sessionRefusal, tokenRefusal } from './refusals.js';
import { ADMIN, TOKEN_BASIC, TOKEN_BEARER } from './strategies.js';

/** passport passes an error, a user, or neither if no strategy accepted the credentials. Refusals are told by their area. */
function userOr<User>(error: unknown, user: User | false, refusal: AppError): User {
  if (isAppError(error) && error.code === 'unauthenticated') throw refusal;
  if (error) throw error;
  if (!user) throw refusal;
  return user;
}

const requestIn = (context: ExecutionContext) => context.switchToHttp().getRequest<Request>();

@Injectable()
export class TokenGuard extends AuthGuard([TOKEN_BASIC, TOKEN_BEARER]) {
  override handleRequest<User>(error: unknown, user: User | false, _: unknown, context: ExecutionContext): User {
    return userOr(error, user, tokenRefusal(requestIn(context).headers.authorization));
  }
}

@Injectable()
export class AdminGuard extends AuthGuard(ADMIN) {
  override handleRequest<User>(error: unknown, user: User | false, _: unknown, context: ExecutionContext): User {
    const request = requestIn(context);
    return userOr(error, user, adminRefusal(request.headers.authorization, areaOf(request)));
  }
}

type GuardedRequest = Request & { user?: Principal | true };

/** Guards every route: checks credentials by area and roles by annotation. A route without annotation does not exist. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly logger = new Logger(AccessGuard.name);
  /** How each scheme of a guarded route checks a request. */
  private readonly checks: Partial<
    Record<Scheme, (context: ExecutionContext, request: GuardedRequest) => Promise<void>>
  > = {
    token: (context, request) => this.authenticate(context, request),
    admin: (context, request) => this.authenticateOperator(context, request),
    'token-or-admin': (context, request) => this.authenticateEither(context, request),
  };

  constructor(
    private readonly tokens: TokenGuard,
    private readonly admin: AdminGuard,
    private readonly sessions: SessionAuthenticator,
    private readonly operators: OperatorSessions,
    private readonly throttle: AuthThrottle,
    private readonly guesses: AdminGuesses,
    @Inject(CONFIG) private readonly config: Pick<Config, 'console'>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const api = apiOf(context.getHandler());
    if (api?.access === 'none') return true;
    const check = api && this.checks[AREA_RULES[api.area].scheme];
    if (!check) {
      this.logger.error(
        `${context.getClass().name}.${context.getHandler().name} has no @Api that says who may call it`,
      );
      throw unknownPath();
    }
    const request = context.switchToHttp().getRequest<Request & { user: Principal | true }>();
    const isOfSession =
      this.config.console.isEnabled && rolesOf(api) !== undefined && (await this.authenticateBySession(request));
    if (!isOfSession) await check(context, request);
    if (request.user !== true) requireRole(request.user.role, api.area, api.access);
    return true;
  }

  /**
   * Takes the cookie of a session if the request has no `Authorization` header. A header decides alone, so a script may use a
   * token beside a session. Returns false if there is no cookie either.
   */
  private async authenticateBySession(request: GuardedRequest): Promise<boolean> {
    const secret = request.headers.authorization === undefined ? sessionSecretOf(request) : undefined;
    if (secret === undefined) return false;
    requireOwnPage(request, { ofSession: true });
    const principal = await this.sessions.authenticate(secret);
    if (!principal) {
      await this.throttle.slowToken(secret, request.ip);
      throw sessionRefusal();
    }
    requireShownSession(request, principal);
    request.user = principal;
    return true;
  }

  /**
   * Area D is HTTP Basic (spec 5.3), for tokens too. A token is told by its form, so that tokens are never counted as guesses at
   * the admin pair. A password may have that form as well.
   */
  private async authenticateEither(context: ExecutionContext, request: Request): Promise<void> {
    const basic = readBasic(request.headers.authorization);
    if (!basic?.password.startsWith(TOKEN_PREFIX)) return this.authenticateAdmin(context, request);
    try {
      await this.authenticate(context, request);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'unauthenticated') throw error;
      await this.authenticateAdmin(context, request);
    }
  }

  private async authenticate(context: ExecutionContext, request: Request): Promise<void> {
    try {
      await this.tokens.canActivate(context);
    } catch (error) {
      const { authorization } = request.headers;
      const isWrong = isAppError(error) && error.code === 'unauthenticated' && authorization !== undefined;
      if (isWrong) await this.throttle.slowToken(authorization, request.ip);
      throw error;
    }
  }

  /** The operator's session in the console opens the operator's routes alone. Area D takes the pair itself. */
  private async authenticateOperator(context: ExecutionContext, request: GuardedRequest): Promise<void> {
    const isPair = request.headers.authorization !== undefined || !this.config.console.isEnabled;
    const secret = isPair ? undefined : cookieIn(request, 'operator');
    if (secret === undefined) return this.authenticateAdmin(context, request);
    requireOwnPage(request, { ofSession: true });
    if (!(await this.operators.isLive(secret))) {
      await this.throttle.slowToken(secret, request.ip);
      throw operatorRefusal();
    }
    request.user = true;
  }

  /** A chosen password can be guessed, so this refuses a pair unchecked after too many wrong ones. */
  private async authenticateAdmin(context: ExecutionContext, request: Request): Promise<void> {
    const pair = readBasic(request.headers.authorization);
    const attempt = pair && this.guesses.admit({ ...pair, address: request.ip });
    await this.admin.canActivate(context);
    attempt?.succeeded();
  }
}
