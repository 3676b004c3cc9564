/**
 * Reasons why a request got no response:
 * - `blocked`: the target is not allowed. The error is the same for every reason and reveals nothing about the target
 * - `invalid_url`, `invalid_method`, `invalid_header`, `too_large`: the request itself is not acceptable
 * - `timeout`: not finished within the deadline
 * - `dns`, `connect`, `tls`, `protocol`: the target could not be found, reached, trusted, or understood
 * - `closed`: this client was closed
 */
export const EGRESS_ERROR_CODES = [
  'blocked',
  'invalid_url',
  'invalid_method',
  'invalid_header',
  'too_large',
  'timeout',
  'dns',
  'connect',
  'tls',
  'protocol',
  'closed',
] as const;
export type EgressErrorCode = (typeof EGRESS_ERROR_CODES)[number];

export class EgressError extends Error {
  override readonly name = 'EgressError';

  constructor(
    readonly code: EgressErrorCode,
    message: string,
    /** Node's own code if there is one: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`. Never set on `blocked`. */
    readonly errno?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Checks the name, because `instanceof` fails across module realms and across copies of a package. */
export function isEgressError(value: unknown): value is EgressError {
  return value instanceof Error && value.name === 'EgressError' && 'code' in value;
}

/** The same error for every refused target. A reason or an address in it would turn Weir into a scanner of its own network. */
export const blocked = () => new EgressError('blocked', 'The address is not allowed');

const MESSAGES: Partial<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed by the other side',
  EPIPE: 'The connection was closed by the other side',
  UND_ERR_SOCKET: 'The connection was closed by the other side',
  ETIMEDOUT: 'The connection could not be made in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  ENOTFOUND: 'The host name was not found',
  EAI_AGAIN: 'The host name could not be looked up',
  UND_ERR_HEADERS_OVERFLOW: 'The answer has too many headers',
};
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|ERR_OSSL)/;
const DNS_CODE = /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|ENONAME)/;
const TIMEOUT_CODE = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;
const PROTOCOL_CODE = /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_|INFO|INVALID)|Z_|ERR__ERROR|ERR_STREAM)/;
const CLOSED_CODE = /^UND_ERR_(CLOSED|DESTROYED)$/;

/** Maps errors of Node, TLS, the HTTP parser and zlib to the closed set of codes. */
export function toEgressError(cause: unknown): EgressError {
  if (isEgressError(cause)) return cause;
  const errno = errnoOf(cause);
  const message = MESSAGES[errno] ?? (cause instanceof Error ? cause.message : String(cause));
  const code = isParserError(cause) ? 'protocol' : codeOf(errno);
  return new EgressError(code, message, errno || undefined, { cause });
}

/** Not every error of the HTTP parser has a code. */
const isParserError = (cause: unknown) => cause instanceof Error && cause.name === 'HTTPParserError';

function codeOf(errno: string): EgressErrorCode {
  if (TLS_CODE.test(errno)) return 'tls';
  if (DNS_CODE.test(errno)) return 'dns';
  if (TIMEOUT_CODE.test(errno)) return 'timeout';
  if (PROTOCOL_CODE.test(errno)) return 'protocol';
  if (CLOSED_CODE.test(errno)) return 'closed';
  return 'connect';
}

/** A connect to several addresses fails with an AggregateError. Its first error gives the reason. */
function errnoOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return '';
  const { code, errors } = cause as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string' && code !== '') return code;
  return Array.isArray(errors) ? errnoOf(errors[0]) : '';
}
