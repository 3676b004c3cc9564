import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { isAppError } from '@weir/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuthThrottle } from '../auth/throttle.js';
import { errorAnswer } from '../http/error-answer.js';
import { toProblem } from '../http/to-problem.js';
import { allowOrigin, answerPreflight } from './cors.js';
import { INTAKE_ROUTES } from './intake.api.js';
import { IntakeService } from './intake.service.js';
import type { IntakeCall } from './parse-events.js';
import { refusals } from './refusals.js';

/**
 * The paths of the intake, registered with Fastify itself. They are the hot path: Nest's guards, interceptors and passport
 * would take longer than all the rest of a small request. And they read their bodies as streams, after the write key was
 * checked, so that everything that is held counts against one bound. Everything else of a route (request id, metrics,
 * 405, OpenAPI) comes from the same annotation that controllers use.
 */
@Injectable()
export class IntakeRoutes implements OnModuleInit {
  private readonly logger = new Logger(IntakeRoutes.name);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly intake: IntakeService,
    private readonly throttle: AuthThrottle,
  ) {}

  async onModuleInit(): Promise<void> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    await fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _stream, done) => done(null));
      // Whatever the content type says, even nonsense: the body is JSON (wire-facts 6.5).
      scope.addHook('onRequest', async ({ headers }) => {
        delete headers['content-type'];
      });
      for (const { call, path: url, api } of INTAKE_ROUTES) {
        const handler = (request: FastifyRequest, reply: FastifyReply) => this.answer(call, request, reply);
        scope.route({ method: 'POST', url, config: { api }, handler });
        scope.route({ method: 'OPTIONS', url, handler: async (request, reply) => answerPreflight(request, reply) });
      }
    });
  }

  private async answer(call: IntakeCall, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    allowOrigin(request, reply);
    try {
      await this.intake.take(call, request.raw);
      return reply.type('text/plain; charset=utf-8').send('OK');
    } catch (error) {
      return this.refuse(error, request, reply);
    }
  }

  /** A 503 is not logged, unlike elsewhere: with the broker away there are thousands a second, and the metrics have them. */
  private async refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const problem = toProblem(await this.throttled(error, request));
    const { status, headers, body } = errorAnswer(problem, 'intake');
    if (status === 500) this.logger.error(error instanceof Error ? error.stack : String(error));
    return reply.status(status).headers(headers).send(body);
  }

  /** Slows write keys that keep failing, as all failing credentials. */
  private async throttled(error: unknown, request: FastifyRequest): Promise<unknown> {
    const { authorization } = request.headers;
    if (!isAppError(error) || error.code !== 'unauthenticated' || authorization === undefined) return error;
    try {
      await this.throttle.slow(authorization, request.ip);
      return error;
    } catch {
      return refusals.tooManyRequests();
    }
  }
}
