import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBasic } from '../http/request.js';
import { refusals } from './refusals.js';

/** Reads `Basic writeKey:` and ignores the password (wire-facts 6.2). Throws if the key is missing. */
export function writeKeyInHeader({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const writeKey = readBasic(headers.authorization)?.user;
  if (!writeKey) throw refusals.noWriteKey();
  return writeKey;
}

/** Reads `?writeKey=`, for clients that cannot set headers. */
export function writeKeyInQuery({ query }: Pick<FastifyRequest, 'query'>): string {
  const writeKey = queried(query);
  if (!writeKey) throw refusals.noWriteKeyInQuery();
  return writeKey;
}

/** Prefers the header if the request has one. */
export const writeKeyAnywhere = (request: FastifyRequest): string =>
  request.headers.authorization === undefined ? writeKeyInQuery(request) : writeKeyInHeader(request);

/** Undefined without a header: the body then has the key. */
const writeKeyInHeaderIfAny = (request: FastifyRequest): string | undefined =>
  request.headers.authorization === undefined ? undefined : writeKeyInHeader(request);

export const WRITE_KEY_IN = {
  header: writeKeyInHeader,
  query: writeKeyInQuery,
  anywhere: writeKeyAnywhere,
  headerOrBody: writeKeyInHeaderIfAny,
};

/** Credentials of a client that may be its write key. */
export const credentialsIn = ({ headers, query }: FastifyRequest) => ({
  authorization: headers.authorization,
  writeKey: queried(query),
});

/** The first value if the parameter occurs several times. */
const queried = (query: unknown): string | undefined =>
  [(query as { writeKey?: string | string[] }).writeKey].flat()[0];

/** The origin of an event: the first address of `X-Forwarded-For`, or the connection's address (wire-facts 6.6). */
export function clientAddress(forwardedFor: string | string[] | undefined, remote: string | undefined): string {
  const [first = ''] = String(forwardedFor ?? '').split(',', 1);
  const forwarded = first.trim();
  if (isIP(forwarded)) return forwarded;
  // Node reports IPv4 clients of a dual-stack listener as ::ffff:10.0.0.1.
  return (remote ?? '').replace(/^::ffff:(\d+\.)/, '$1');
}

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
