import type { FastifyRequest } from 'fastify';
import { readBasic } from '../auth/authorization.js';
import { refusals } from './refusals.js';

/** `Basic writeKey:`; the password is ignored (wire-facts 6.2). Throws the refusal of a missing key. */
export function writeKeyInHeader({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const writeKey = readBasic(headers.authorization)?.user;
  if (!writeKey) throw refusals.noWriteKey();
  return writeKey;
}

/** `?writeKey=`, for what cannot set headers. */
export function writeKeyInQuery({ query }: Pick<FastifyRequest, 'query'>): string {
  const writeKey = queried(query);
  if (!writeKey) throw refusals.noWriteKeyInQuery();
  return writeKey;
}

/** Of a header, if there is one. */
export const writeKeyAnywhere = (request: FastifyRequest): string =>
  request.headers.authorization === undefined ? writeKeyInQuery(request) : writeKeyInHeader(request);

export const WRITE_KEY_IN = { header: writeKeyInHeader, query: writeKeyInQuery, anywhere: writeKeyAnywhere };

/** What the throttle of failing credentials counts by; undefined when none was given. */
export const credentialOf = ({ headers, query }: FastifyRequest): string | undefined =>
  headers.authorization ?? queried(query);

/** Of several, the first. */
const queried = (query: unknown): string | undefined =>
  [(query as { writeKey?: string | string[] }).writeKey].flat()[0];
