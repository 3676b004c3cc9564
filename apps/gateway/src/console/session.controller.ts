import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { AppError, notFound } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { Caller, type Principal } from '../http/principal.js';
import type { Reply, Request } from '../http/request.js';
import { noSessionCookie, requireOwnPage, sessionCookie, sessionSecretOf } from '../http/session-cookie.js';
import { AuthThrottle } from '../http/throttle.js';
import { SessionList, SessionPath, SessionsQuery, SignedIn, SignInBody, SignInLink } from './session.schemas.js';
import { SessionService, signedIn } from './session.service.js';

const WRONG = {
  code: 'The link was used, is older than two minutes, or is not of this server. Make another one',
  token: 'The access token is unknown, expired or revoked, or belongs to another e-mail address',
};

/** Sign-in and sign-out of the console, and the sessions of a workspace. */
@Controller()
export class SessionController {
  constructor(
    private readonly sessions: SessionService,
    private readonly throttle: AuthThrottle,
  ) {}

  @Post('/console/session')
  @Api({
    summary: 'Sign in to the console: with the code of a link, or with an access token',
    description:
      'Sets the session cookie, which opens everything that the token opens. A request with an `Authorization` header ignores the cookie.',
    area: 'sign-in',
    access: 'none',
    body: SignInBody,
    reply: SignedIn,
    status: 201,
    errors: ['unauthenticated', 'forbidden', 'rate_limited'],
  })
  async create(
    @Body() body: SignInBody,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<SignedIn> {
    requireOwnPage(request, { ofSession: false });
    const made = await this.sessions.signIn(body, request.headers['user-agent']);
    if (!made) {
      await this.throttle.slowToken('code' in body ? body.code : body.token, request.ip);
      throw new AppError('unauthenticated', 'code' in body ? WRONG.code : WRONG.token);
    }
    const { secret, session } = made;
    const maxAgeMs = session.expiresAt.getTime() - session.createdAt.getTime();
    void reply.header('set-cookie', sessionCookie(request, secret, maxAgeMs));
    return signedIn(session);
  }

  @Get('/console/session')
  @Api({
    summary: 'Get the session of this request: who is signed in, where, and what the role may do',
    area: 'console',
    access: 'session',
    reply: SignedIn,
    errors: ['not_found'],
  })
  async get(@Req() request: Request, @Caller() caller: Principal): Promise<SignedIn> {
    const session = caller.sessionId === undefined ? null : await this.sessions.find(sessionSecretOf(request));
    if (!session) throw notFound('session');
    return signedIn(session);
  }

  @Delete('/console/session')
  @Api({
    summary: 'Sign out: delete the session of this request',
    area: 'console',
    access: 'session',
    reply: z.void(),
    status: 204,
    errors: ['not_found'],
  })
  async delete(
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<void> {
    if (caller.sessionId === undefined) throw notFound('session');
    await this.sessions.end(caller, caller.sessionId, 'ended');
    void reply.header('set-cookie', noSessionCookie(request));
  }

  @Get('/console/sessions')
  @Api({
    summary: 'List sessions of the console: an admin sees those of the workspace, others their own',
    area: 'console',
    access: 'session',
    query: SessionsQuery,
    reply: SessionList,
  })
  list(@Caller() caller: Principal, @Query() { page }: z.output<typeof SessionsQuery>) {
    return this.sessions.list(caller, page, '/console/sessions');
  }

  @Delete('/console/sessions/:id')
  @Api({
    summary: 'Revoke a session at once',
    area: 'console',
    access: 'session',
    params: SessionPath,
    reply: z.void(),
    status: 204,
  })
  async revoke(@Caller() caller: Principal, @Param() { id }: z.output<typeof SessionPath>): Promise<void> {
    await this.sessions.end(caller, id, 'revoked');
  }

  @Post('/console/links')
  @Api({
    summary: 'Create a link that signs in once, within two minutes, with the role of this token',
    area: 'console',
    access: 'tokens',
    reply: SignInLink,
    status: 201,
  })
  link(@Caller() caller: Principal): Promise<SignInLink> {
    return this.sessions.link(caller);
  }
}
