import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Context, context, propagation, ROOT_CONTEXT, type Span, SpanKind } from '@opentelemetry/api';
import { failSpan, openSpan } from '@weir/messaging';
import { sendsTraces } from '@weir/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Monitors call these all the time, and nobody needs their traces. */
const NOT_TRACED = ['/livez', '/readyz'];

/**
 * One span per request, named by route template. Paths are not recorded, because they hold ids. Callers may begin the trace
 * (W3C).
 */
@Injectable()
export class HttpTraces {
  private readonly open = new WeakMap<FastifyRequest, { span: Span; within: Context }>();

  constructor({ httpAdapter }: HttpAdapterHost) {
    if (!sendsTraces()) return;
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, _reply, done) => {
      this.begin(request);
      done();
    });
    // Set after body parsing, whose events would run outside the context.
    fastify.addHook('preHandler', (request, _reply, done) => {
      context.with(this.open.get(request)?.within ?? ROOT_CONTEXT, done);
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      this.end(request, reply.statusCode);
      done();
    });
  }

  private begin(request: FastifyRequest): void {
    const route = request.routeOptions.url ?? 'unknown';
    if (NOT_TRACED.includes(route)) return;
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    this.open.set(request, openSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes, parent }));
  }

  private end(request: FastifyRequest, status: number): void {
    const span = this.open.get(request)?.span.setAttribute('http.response.status_code', status);
    if (span && status >= 500) failSpan(span, String(status));
    span?.end();
  }
}
