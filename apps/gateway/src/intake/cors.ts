import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_AGE_S = '900';
/** Headers that tell a page when to retry. */
const READABLE = 'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset';

/** Accepts every origin, as SDKs expect (wire-facts 6.1): any page may send events. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (!origin) return;
  void reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', READABLE)
    .header('vary', 'Origin');
}

/** Answers the preflight request that a browser sends before it sends a write key. */
export function answerPreflight(methods: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  allowOrigin(request, reply);
  const wanted = request.headers['access-control-request-headers'] ?? 'authorization, content-type';
  return reply
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', wanted)
    .header('access-control-max-age', MAX_AGE_S)
    .status(204)
    .send();
}
