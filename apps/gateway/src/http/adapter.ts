import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { newRequestId, REQUEST_ID_HEADER, requestContext } from '@weir/messaging';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { answerNotModified } from './entity-tag.js';
import { answerClientError, ErrorResponder } from './errors.js';
import { answerBeforeBodies } from './linger.js';
import { PrivatePort } from './private-port.js';

/** Accepts these request ids from clients. Others could break a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Longer than any id, so that an over-long id gets the same 404 as an unknown one. */
const PARAM_LENGTH_MAX = 2_048;
/** Time for a client to send its whole request. Defends against slow-loris attacks. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the usual 60 s of a load balancer, so that Weir never closes a connection in use. */
const KEEP_ALIVE_MS = 65_000;

/** Configures Fastify for the gateway: request ids, unread bodies, and known methods for 405. */
export function createAdapter(config: Pick<Config, 'trustedProxies' | 'privatePort' | 'host' | 'publicAreas'>): {
  adapter: FastifyAdapter;
  errors: ErrorResponder;
  privatePort: PrivatePort | undefined;
} {
  const { trustedProxies } = config;
  const errors = new ErrorResponder();
  const adapter = new FastifyAdapter({
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    forceCloseConnections: 'idle',
    // Requests on kept-alive connections still get answers, with `Connection: close` (`ops/http-drain.ts`).
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ({ headers }: IncomingMessage) => {
      const given = headers[REQUEST_ID_HEADER];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
    },
    clientErrorHandler: answerClientError,
    // Malformed URLs and over-long parameters reach neither a route nor Nest.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      errors.respond(error, request, reply.header(REQUEST_ID_HEADER, request.id)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAM_LENGTH_MAX },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  applyRouteRules(fastify, errors);
  carryRequestId(fastify);
  const privatePort = config.privatePort === undefined ? undefined : new PrivatePort(fastify, config);
  keepAnswersPrivate(fastify);
  leaveBodiesUnread(fastify);
  answerBeforeBodies(fastify);
  answerNotModified(fastify);
  return { adapter, errors, privatePort };
}

function applyRouteRules(fastify: FastifyInstance, errors: ErrorResponder): void {
  fastify.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) errors.allowed.add(method, route.url);
    // Set per route. Nest sets its own handler later, so timing would decide whether that one applies.
    route.errorHandler = (error, request, reply) => errors.respond(error, request, reply);
  });
}

/** Takes the request id from the header to every log line and call of the request, and back to the client. */
function carryRequestId(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  // Set after body parsing, whose events would run outside the context.
  fastify.addHook('preHandler', (request, _reply, done) => requestContext.run({ requestId: request.id }, done));
}

/** Answers hold tokens and personal data. No cache may store them and no browser may guess their type. */
function keepAnswersPrivate(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    done();
  });
}

/** Leaves bodies to code behind the guards (`input.interceptor.ts`, `intake/`), so that unauthorized bodies take no memory. */
function leaveBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _body, done) => done(null));
}
