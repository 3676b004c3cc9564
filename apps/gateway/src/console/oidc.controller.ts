import { Controller, Get, Inject, Logger, Query, Req, Res } from '@nestjs/common';
import { isAppError } from '@weir/contracts';
import { CONFIG } from '@weir/service-kit';
import { z } from 'zod';
import type { Config } from '../config.js';
import { Api } from '../http/api.js';
import { pathText } from '../http/fields.js';
import type { Reply, Request } from '../http/request.js';
import { cookieIn, loginCookie, sessionCookie } from '../http/session-cookie.js';
import { AuthThrottle } from '../http/throttle.js';
import { flowIn, grantOf, newFlow } from './oidc.flow.js';
import { OidcProvider } from './oidc.provider.js';
import { SessionService } from './session.service.js';

const LoginQuery = z.object({
  returnTo: pathText.optional().meta({ description: 'Path of the console to come back to' }),
});
/** The provider adds what it likes. */
const CallbackQuery = z.object({});
const Redirect = z.void();

/** Why nobody was signed in. The page words it. */
type Refusal = 'failed' | 'no-access' | 'unavailable';
const pageOf = (refusal: Refusal) => `/console?signIn=${refusal}`;

const SignInMethods = z.object({ methods: z.array(z.enum(['link', 'token', 'oidc'])) }).meta({ id: 'SignInMethods' });

/** Sign-in by the operator's OpenID Connect provider. */
@Controller()
export class OidcController {
  private readonly logger = new Logger(OidcController.name);

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'console'>,
    private readonly provider: OidcProvider,
    private readonly sessions: SessionService,
    private readonly throttle: AuthThrottle,
  ) {}

  @Get('/console/sign-in')
  @Api({
    summary: 'List the ways to sign in to the console',
    area: 'sign-in',
    access: 'none',
    reply: SignInMethods,
  })
  methods(): z.output<typeof SignInMethods> {
    return { methods: this.provider.isOn ? ['oidc', 'token', 'link'] : ['token', 'link'] };
  }

  @Get('/console/login')
  @Api({
    summary: 'Send a browser to the OpenID Connect provider to sign in',
    area: 'sign-in',
    access: 'none',
    query: LoginQuery,
    reply: Redirect,
    otherStatus: 302,
    errors: ['not_found'],
  })
  async login(
    @Query() { returnTo }: z.output<typeof LoginQuery>,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<void> {
    const flow = newFlow(returnTo);
    const address = await this.provider.addressFor(flow).catch((error: unknown) => this.refused(error, 'unavailable'));
    void reply.status(302).headers({ 'set-cookie': loginCookie(request, flow.cookie), location: address });
  }

  @Get('/console/callback')
  @Api({
    summary: 'Send a browser back to the console, signed in if the provider and the groups allow it',
    area: 'sign-in',
    access: 'none',
    query: CallbackQuery,
    isQueryOpen: true,
    reply: Redirect,
    otherStatus: 302,
    errors: ['not_found', 'rate_limited'],
  })
  async callback(@Req() request: Request, @Res({ passthrough: true }) reply: Reply): Promise<void> {
    const cookies = [loginCookie(request, '')];
    const flow = flowIn(cookieIn(request, 'login'));
    let location = pageOf('failed');
    if (flow) {
      const query = request.url.slice(request.url.indexOf('?'));
      const claims = await this.provider.claimsOf(query, flow).catch((error: unknown) => {
        this.refused(error, 'failed');
        return undefined;
      });
      const grant = claims && grantOf(this.config.console.oidc?.grants ?? [], claims.groups);
      const made =
        grant && (await this.sessions.signInPerson({ ...grant, email: claims.email }, request.headers['user-agent']));
      if (made) {
        cookies.push(
          sessionCookie(request, made.secret, made.session.expiresAt.getTime() - made.session.createdAt.getTime()),
        );
        location = flow.returnTo;
      } else if (claims) location = pageOf('no-access');
    }
    // Each failure may have cost a call to the provider.
    if (cookies.length === 1) await this.throttle.slowToken('oidc', request.ip);
    void reply.status(302).headers({ 'set-cookie': cookies, location });
  }

  /** The provider's own words may hold codes or tokens, so the log has the kind of the error only. */
  private refused(error: unknown, refusal: Refusal): string {
    if (isAppError(error) && error.code === 'not_found') throw error;
    const { name, code } = error as { name?: string; code?: string };
    this.logger.warn(`a sign-in by OpenID Connect failed: ${isAppError(error) ? error.message : `${name} ${code}`}`);
    return pageOf(refusal);
  }
}
