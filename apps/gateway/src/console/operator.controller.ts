import { Controller, Delete, Get, Logger, Post, Req, Res } from '@nestjs/common';
import { AppError, notFound, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../http/api.js';
import type { Reply, Request } from '../http/request.js';
import { cookieIn, noSessionCookie, requireOwnPage, sessionCookie } from '../http/session-cookie.js';
import { OPERATOR_SESSION_MS, OperatorSessions } from './operator.sessions.js';

const OperatorSession = z
  .object({ expiresAt: Timestamp.meta({ description: 'Or earlier, after 15 minutes without a request' }) })
  .meta({ id: 'OperatorSession' });

/** Sign-in and sign-out of the operator in the console. */
@Controller()
export class OperatorController {
  private readonly logger = new Logger(OperatorController.name);

  constructor(private readonly sessions: OperatorSessions) {}

  @Post('/admin/session')
  @Api({
    summary: 'Sign in to the operator part of the console with the admin pair',
    description: 'Sets a cookie that opens `/admin` for an hour. A new admin pair ends it.',
    area: 'admin',
    access: 'write',
    reply: OperatorSession,
    status: 201,
    errors: ['forbidden'],
  })
  async create(
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<z.output<typeof OperatorSession>> {
    requireOwnPage(request, { ofSession: false });
    // a session that made the next one would never end
    if (request.headers.authorization === undefined)
      throw new AppError('forbidden', 'A session makes no other session: send the admin pair');
    const secret = await this.sessions.open();
    this.logger.log(`the operator signed in to the console from ${request.ip}`);
    void reply.header('set-cookie', sessionCookie(request, secret, OPERATOR_SESSION_MS, 'operator'));
    return { expiresAt: new Date(Date.now() + OPERATOR_SESSION_MS).toISOString() };
  }

  @Get('/admin/session')
  @Api({
    summary: 'Get whether the operator is signed in to the console',
    area: 'admin',
    access: 'read',
    reply: z.object({ isSignedIn: z.literal(true) }),
    errors: ['not_found'],
  })
  get(@Req() request: Request) {
    secretOf(request);
    return { isSignedIn: true as const };
  }

  @Delete('/admin/session')
  @Api({
    summary: 'Sign the operator out of the console',
    area: 'admin',
    access: 'write',
    reply: z.void(),
    status: 204,
    errors: ['not_found'],
  })
  async delete(@Req() request: Request, @Res({ passthrough: true }) reply: Reply): Promise<void> {
    await this.sessions.end(secretOf(request));
    void reply.header('set-cookie', noSessionCookie(request, 'operator'));
  }
}

/** The guard has checked it, unless the request came with the admin pair. */
function secretOf(request: Request): string {
  const secret = request.headers.authorization === undefined ? cookieIn(request, 'operator') : undefined;
  if (secret === undefined) throw notFound('session');
  return secret;
}
