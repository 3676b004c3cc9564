import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Metrics } from '@weir/service-kit';
import type { FastifyInstance } from 'fastify';

/** Seconds, up to the longest call that a route waits for. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Rate, errors and duration by route template. Paths are no labels, because they hold ids. */
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
