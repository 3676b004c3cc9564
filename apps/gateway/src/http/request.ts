import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiSpec } from './api.js';
import { type Area, areaOfPath } from './areas.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The annotation of the route (`@Api`). */
    api?: ApiSpec;
  }
}

export type Request = FastifyRequest;
export type Reply = FastifyReply;

/** Path of a request without its query string. */
export const pathOf = (request: Request): string => request.url.split('?', 1)[0] ?? '/';

/** The area that decides the form of a request's errors, even if the request reached no route. */
export const areaOf = (request: Request): Area =>
  request.routeOptions?.config?.api?.area ?? areaOfPath(pathOf(request));

/** Content of an `Authorization: Basic` header. Either part may be empty. */
export interface BasicCredentials {
  user: string;
  password: string;
}

/**
 * Reads `Basic base64(user:password)` (RFC 7617). The header must start with the scheme, and the user ends at the first colon.
 * Undefined if the header is missing or malformed.
 */
export function readBasic(header: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Reads `Bearer token`. Never reads a token from query or body, where it would reach logs. */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/** Leading groups, out of eight, that a provider assigns to one customer. The customer chooses the rest. */
const NETWORK_GROUPS = 4;

/** The part of an address that a client cannot change at will: an IPv4 address or an IPv6 network. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('::', 2);
  const first = head.split(':').filter(Boolean);
  const last = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...(tail === undefined ? [] : zeros), ...last];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
