import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_AGE_S = '900';
/** What a page needs to know when to come again. */
const READABLE = 'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset';

/** Events come from browsers on any page: every origin is answered, as SDKs expect (wire-facts 6.1). */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (!origin) return;
  void reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', READABLE)
    .header('vary', 'Origin');
}

/** What a browser asks before it sends a write key. */
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
