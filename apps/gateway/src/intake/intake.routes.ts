import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { isAppError } from '@weir/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { intakeRefusal } from '../auth/refusals.js';
import type { ApiSpec } from '../http/api.js';
import { toProblem } from '../http/errors.js';
import { errorAnswer } from '../http/status.js';
import { AuthThrottle } from '../http/throttle.js';
import { allowOrigin, answerPreflight, credentialsIn, WRITE_KEY_IN, writeKeyAnywhere } from './client.js';
import {
  EVENT_ROUTES,
  INTAKE_ROUTES,
  PIXEL_ROUTES,
  SEGMENT_METRICS_ROUTE,
  SEGMENT_SETTINGS_ROUTE,
  SOURCE_CONFIG_ROUTE,
  WEBHOOK_CALL,
  WEBHOOK_QUERY_ROUTE,
} from './intake.api.js';
import { IntakeService } from './intake.service.js';
import { PIXEL } from './made-events.js';
import { refusals } from './refusals.js';
import { SourceConfigService } from './source-config.js';

/** Answers refusals in the plain text of the intake. */
@Injectable()
export class RefusalResponder {
  private readonly logger = new Logger(RefusalResponder.name);

  constructor(private readonly throttle: AuthThrottle) {}

  async answer(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const refusal = await this.throttled(error, request);
    this.note(refusal);
    const { status, headers, body } = errorAnswer(toProblem(refusal), 'intake');
    return reply.status(status).headers(headers).send(body);
  }

  /** Logs 500 only. Without a broker, a 503 would fill the log thousands of times a second. Metrics count them instead. */
  note(error: unknown): void {
    if (errorAnswer(toProblem(error), 'intake').status !== 500) return;
    this.logger.error(error instanceof Error ? error.stack : String(error));
  }

  /** Slows write keys that keep failing, like all failing credentials. */
  private async throttled(error: unknown, request: FastifyRequest): Promise<unknown> {
    const { authorization, writeKey } = credentialsIn(request);
    const credential = authorization ?? writeKey;
    if (!isAppError(error) || error.code !== 'unauthenticated' || credential === undefined) return error;
    try {
      await this.throttle.slow(credential, request.ip);
      return intakeRefusal(error, { authorization, writeKey });
    } catch {
      return refusals.tooManyRequests();
    }
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Registers the intake's paths directly with Fastify. On this hot path, Nest's guards, interceptors and passport would take
 * longer than the rest of a small request. Request ids, metrics, 405 and OpenAPI use the same annotation as controllers.
 */
@Injectable()
export class IntakeRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly intake: IntakeService,
    private readonly sourceConfig: SourceConfigService,
    private readonly refusals: RefusalResponder,
  ) {}

  async onModuleInit(): Promise<void> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    await fastify.register(async (scope) => {
      // The body is always JSON, whatever the content type says (wire-facts 6.5).
      scope.addHook('onRequest', (request, _reply, done) => {
        delete request.headers['content-type'];
        done();
      });
      this.addEvents(scope);
      this.addWebhookQuery(scope);
      this.addPixels(scope);
      this.addSourceConfig(scope);
      this.addSegment(scope);
    });
  }

  private addEvents(scope: FastifyInstance): void {
    for (const { call, keyIn, path, api } of EVENT_ROUTES) {
      this.add(scope, { method: 'POST', path, api }, async (request, reply) => {
        const limit = await this.intake.take(call, WRITE_KEY_IN[keyIn](request), request);
        return reply.headers(limit).type('text/plain; charset=utf-8').send('OK');
      });
    }
  }

  private addWebhookQuery(scope: FastifyInstance): void {
    this.add(scope, WEBHOOK_QUERY_ROUTE, async (request, reply) => {
      const limit = await this.intake.takeQuery(WEBHOOK_CALL, request);
      return reply.headers(limit).type('text/plain; charset=utf-8').send('OK');
    });
  }

  private addPixels(scope: FastifyInstance): void {
    for (const { call, path, api } of PIXEL_ROUTES) {
      this.add(scope, { method: 'GET', path, api }, async (request, reply) => {
        const taken = this.intake.takeQuery(call, request);
        // A page cannot react to a refusal and would show a broken image.
        await taken.catch((error: unknown) => this.refusals.note(error));
        return reply.type('image/gif').send(PIXEL);
      });
    }
  }

  private addSourceConfig(scope: FastifyInstance): void {
    const { path, api } = SOURCE_CONFIG_ROUTE;
    this.add(scope, { method: 'GET', path, api }, async (request, reply) =>
      reply.send(await this.sourceConfig.of(writeKeyAnywhere(request))),
    );
  }

  /** The routes that Segment's SDK for browsers uses beside those for events. */
  private addSegment(scope: FastifyInstance): void {
    this.add(scope, SEGMENT_SETTINGS_ROUTE, async (request, reply) => {
      const { writeKey } = request.params as { writeKey: string };
      await this.sourceConfig.of(writeKey);
      const { protocol, host } = request;
      const apiHost = { apiKey: writeKey, apiHost: `${host}/v1`, protocol };
      return reply.send({ integrations: { 'Segment.io': apiHost }, plan: { track: {}, identify: {}, group: {} } });
    });
    this.add(scope, SEGMENT_METRICS_ROUTE, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send('OK'),
    );
  }

  private add(scope: FastifyInstance, route: { method: string; path: string; api: ApiSpec }, handle: Handler): void {
    const { method, path: url, api } = route;
    const handler: Handler = async (request, reply) => {
      allowOrigin(request, reply);
      try {
        return await handle(request, reply);
      } catch (error) {
        return this.refusals.answer(error, request, reply);
      }
    };
    scope.route({ method, url, config: { api }, handler });
    if (scope.hasRoute({ method: 'OPTIONS', url })) return;
    const methods = INTAKE_ROUTES.filter(({ path }) => path === url).map((one) => one.method);
    scope.route({
      method: 'OPTIONS',
      url,
      handler: (request, reply) => answerPreflight(methods.join(', '), request, reply),
    });
  }
}
