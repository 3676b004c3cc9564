import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiSpec } from '../http/api.js';
import { WEBHOOK_CALL } from './calls.js';
import { allowOrigin, answerPreflight } from './cors.js';
import { EVENT_ROUTES, INTAKE_ROUTES, PIXEL_ROUTES, SOURCE_CONFIG_ROUTE, WEBHOOK_QUERY_ROUTE } from './intake.api.js';
import { IntakeService } from './intake.service.js';
import { PIXEL } from './pixel.js';
import { RefusalResponder } from './refusal-responder.js';
import { SourceConfigService } from './source-config.js';
import { WRITE_KEY_IN, writeKeyAnywhere } from './write-key.js';

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
    });
  }

  private addEvents(scope: FastifyInstance): void {
    for (const { call, keyIn, path, api } of EVENT_ROUTES) {
      this.add(scope, { method: 'POST', path, api }, async (request, reply) => {
        const budget = await this.intake.take(call, WRITE_KEY_IN[keyIn](request), request);
        return reply.headers(budget).type('text/plain; charset=utf-8').send('OK');
      });
    }
  }

  private addWebhookQuery(scope: FastifyInstance): void {
    this.add(scope, WEBHOOK_QUERY_ROUTE, async (request, reply) => {
      const budget = await this.intake.takeQuery(WEBHOOK_CALL, request);
      return reply.headers(budget).type('text/plain; charset=utf-8').send('OK');
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
