import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Context, context, propagation, ROOT_CONTEXT, type Span, SpanKind } from '@opentelemetry/api';
import { failSpan, openSpan } from '@weir/messaging';
import { Metrics, sendsTraces } from '@weir/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Seconds, up to the longest call that a route waits for. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Rate, errors and duration by route template. Paths are not labels, because they hold ids. */
@Injectable()
export class HttpMetrics {
  constructor({ httpAdapter }: HttpAdapterHost, metrics: Metrics) {
    const duration = metrics.histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
    });
    httpAdapter.getInstance<FastifyInstance>().addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown';
      duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
      done();
    });
  }
}

/** Monitors call these all the time, and nobody needs their traces. */
const NOT_TRACED = ['/livez', '/readyz', '/servez'];

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
