import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { newRequestId, REQUEST_ID_HEADER, requestContext } from '@weir/messaging';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { answerClientError } from './client-error.js';
import { answerNotModified } from './entity-tag.js';
import { ErrorResponder } from './error-responder.js';
import { answerBeforeBodies } from './linger.js';

/** Request ids from outside that are taken over; others could break a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Longer path parameters than any id, so that a mistyped id is a 404 like every unknown one. */
const PARAM_LENGTH_MAX = 2_048;
/** A client has this long to send its whole request (slow-loris). */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the usual 60 s of a load balancer, so that it is never Weir that closes a connection in use. */
const KEEP_ALIVE_MS = 65_000;

/** Fastify as the gateway uses it: request ids, unread bodies, and known methods for 405. */
export function createAdapter({ trustedProxies }: Pick<Config, 'trustedProxies'>): {
  adapter: FastifyAdapter;
  errors: ErrorResponder;
} {
  const errors = new ErrorResponder();
  const adapter = new FastifyAdapter({
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    forceCloseConnections: 'idle',
    // What still comes over a connection that is kept alive is answered, with `Connection: close` (`ops/http-drain.ts`).
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ({ headers }: IncomingMessage) => {
      const given = headers[REQUEST_ID_HEADER];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
    },
    clientErrorHandler: answerClientError,
    // Malformed URLs and over-long parameters: they reach no route and no Nest.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      errors.respond(error, request, reply.header(REQUEST_ID_HEADER, request.id)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAM_LENGTH_MAX },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  applyRouteRules(fastify, errors);
  carryRequestId(fastify);
  keepAnswersPrivate(fastify);
  leaveBodiesUnread(fastify);
  answerBeforeBodies(fastify);
  answerNotModified(fastify);
  return { adapter, errors };
}

function applyRouteRules(fastify: FastifyInstance, errors: ErrorResponder): void {
  fastify.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) errors.allowed.add(method, route.url);
    // Of the route itself: whether Nest's own handler, set later, would reach it is a matter of timing.
    route.errorHandler = (error, request, reply) => errors.respond(error, request, reply);
  });
}

/** From the header to every log line and call that the request causes, and back to the caller. */
function carryRequestId(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  // After the body was read: its events would run outside of the context.
  fastify.addHook('preHandler', (request, _reply, done) => requestContext.run({ requestId: request.id }, done));
}

/** Answers hold tokens and people's data: no cache keeps them, no browser takes them for anything but what they are. */
function keepAnswersPrivate(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    done();
  });
}

/** Bodies are read behind the guards (`input.interceptor.ts`, `intake/`): nobody makes this process hold what they may not send. */
function leaveBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _body, done) => done(null));
}
