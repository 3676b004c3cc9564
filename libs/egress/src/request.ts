import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import { EgressError } from './errors.js';
import { parseHttpTarget } from './target.js';

/** Maximum request body. Well above every payload that Weir sends. */
const REQUEST_BODY_BYTES_MAX = 16_777_216;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export interface EgressRequest {
  /** GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS. */
  method: string;
  url: string;
  /**
   * Limit for the URL in characters, by default 2,048. Only for a vendor with constant host and path that takes data in the query,
   * and never from a configuration or from user code.
   */
  urlLengthMax?: number;
  headers?: Readonly<Record<string, string>>;
  /**
   * IP address of the device behind the request, sent as `x-forwarded-for`. Private servers may trust it, so only Weir sets it, and
   * neither a configuration nor user code.
   */
  forwardedFor?: string;
  body?: string | Buffer;
  /** Deadline for lookup, connect, headers and the last byte of the body together. */
  timeoutMs: number;
  /** Limit for the response body after decompression. */
  maxResponseBytes: number;
}

export interface EgressResponse {
  /** The unchanged status. A redirect is a response like any other and is never followed. */
  status: number;
  /** Names in lower case. Values of a repeated header are joined by `, `. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body was longer than `maxResponseBytes`. */
  truncated: boolean;
}

type RequestFields = Omit<EgressRequest, 'timeoutMs' | 'maxResponseBytes'>;

/** Checks a request from a configuration or from user code. */
export function checkedRequest(request: RequestFields): Dispatcher.RequestOptions {
  const { method, url, urlLengthMax, headers = {}, forwardedFor, body } = request;
  const { origin, path } = parseHttpTarget(url, urlLengthMax);
  const known = METHODS.find((each) => each === method.toUpperCase());
  if (!known) throw new EgressError('invalid_method', `The method must be one of ${METHODS.join(', ')}`);
  if (body !== undefined && Buffer.byteLength(body) > REQUEST_BODY_BYTES_MAX) {
    throw new EgressError('too_large', `The body is larger than ${REQUEST_BODY_BYTES_MAX} bytes`);
  }
  const sent = { ...checkedHeaders(headers), ...forwardedHeader(forwardedFor) };
  return { origin, path, method: known, headers: sent, ...(body !== undefined && { body }) };
}

/** More than any destination needs. */
export const HEADERS_MAX = 50;
/** Names and values together. Common servers refuse more. */
export const HEADER_BYTES_MAX = 16_384;

/** RFC 9110: a field name is a token. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Printable characters of ISO 8859-1 and the tab, so no CR, LF or NUL. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** These decide where a request goes and where it ends. Only Weir sets them. */
const FORBIDDEN = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']);
const FORBIDDEN_TOO = new Set(['upgrade', 'te', 'trailer', 'expect', 'forwarded', 'via']);
const FORBIDDEN_PREFIXES = ['proxy-', 'x-forwarded-'];

/** Checks headers from a configuration or from user code. Returns a copy with trimmed values. */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  if (entries.length > HEADERS_MAX) throw invalidHeader(`There are more than ${HEADERS_MAX} headers`);
  let bytes = 0;
  for (const [name, value] of entries) {
    checkHeader(name, value);
    bytes += name.length + value.length;
  }
  if (bytes > HEADER_BYTES_MAX) throw invalidHeader(`The headers are larger than ${HEADER_BYTES_MAX} bytes`);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.trim()]));
}

function forwardedHeader(address: string | undefined): Record<string, string> {
  if (address === undefined) return {};
  if (!isIP(address)) throw invalidHeader('A request is forwarded for an IP address only');
  return { 'x-forwarded-for': address };
}

function checkHeader(name: string, value: string): void {
  if (!TOKEN.test(name)) throw invalidHeader(`${JSON.stringify(name.slice(0, 64))} is not a header name`);
  if (isForbidden(name.toLowerCase())) throw invalidHeader(`The header ${name} cannot be set`);
  if (typeof value !== 'string' || !VALUE.test(value)) {
    throw invalidHeader(`The value of the header ${name} has characters that a header cannot hold`);
  }
}

const isForbidden = (name: string) =>
  FORBIDDEN.has(name) || FORBIDDEN_TOO.has(name) || FORBIDDEN_PREFIXES.some((prefix) => name.startsWith(prefix));

const invalidHeader = (message: string) => new EgressError('invalid_header', message);
