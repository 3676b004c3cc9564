import type { FastifyRequest } from 'fastify';
import { readBasic } from '../auth/authorization.js';
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

export const WRITE_KEY_IN = { header: writeKeyInHeader, query: writeKeyInQuery, anywhere: writeKeyAnywhere };

/** The credential that the throttle counts failures by. Undefined if the request has none. */
export const credentialOf = ({ headers, query }: FastifyRequest): string | undefined =>
  headers.authorization ?? queried(query);

/** The first value if the parameter occurs several times. */
const queried = (query: unknown): string | undefined =>
  [(query as { writeKey?: string | string[] }).writeKey].flat()[0];
