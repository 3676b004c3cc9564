import { AppError, type ErrorCode, type ErrorDetails } from '@weir/contracts';
import { AREA_RULES, type Area, type ErrorForm } from './areas.js';

interface StatusOf {
  status: number;
  /** The `code` of an error body (ruling 26). */
  name: string;
}

/** Maps error codes to HTTP status (wire-facts 0.3). */
const STATUS = {
  invalid: { status: 400, name: 'BAD_REQUEST' },
  unauthenticated: { status: 401, name: 'UNAUTHORIZED' },
  forbidden: { status: 403, name: 'FORBIDDEN' },
  not_found: { status: 404, name: 'NOT_FOUND' },
  conflict: { status: 409, name: 'CONFLICT' },
  precondition_failed: { status: 412, name: 'PRECONDITION_FAILED' },
  disabled: { status: 400, name: 'DISABLED' },
  unsupported: { status: 400, name: 'UNSUPPORTED' },
  tests_failed: { status: 400, name: 'TESTS_FAILED' },
  too_large: { status: 413, name: 'PAYLOAD_TOO_LARGE' },
  rate_limited: { status: 429, name: 'TOO_MANY_REQUESTS' },
  timeout: { status: 504, name: 'GATEWAY_TIMEOUT' },
  unavailable: { status: 503, name: 'SERVICE_UNAVAILABLE' },
  internal: { status: 500, name: 'INTERNAL_ERROR' },
} as const satisfies Record<ErrorCode, StatusOf>;

/** Exceptions: area D answers failed authentication with 400 (spec section 7), the intake a disabled source with 404. */
const BY_AREA: Partial<Record<Area, Partial<Record<ErrorCode, StatusOf>>>> = {
  schemas: { unauthenticated: { status: 400, name: 'UNAUTHORIZED' } },
  intake: { disabled: { status: 404, name: 'DISABLED' } },
};

export function statusOf(code: ErrorCode, area: Area): StatusOf {
  return BY_AREA[area]?.[code] ?? STATUS[code];
}

/** An error of HTTP itself. It never crosses to another process, so it is not one of the service errors. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly status: number,
    /** The `code` of the body, such as METHOD_NOT_ALLOWED. */
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly details?: ErrorDetails,
  ) {
    super(message);
  }
}

export const methodNotAllowed = (allowed: readonly string[]) =>
  new HttpProblem(405, 'METHOD_NOT_ALLOWED', `This path answers ${allowed.join(', ')} only`, {
    allow: allowed.join(', '),
  });
export const unsupportedMediaType = () =>
  new HttpProblem(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: send Content-Type: application/json');
export const unsupportedEncoding = () =>
  new HttpProblem(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be sent without a Content-Encoding');
/** For failed credentials. `seconds`: wait before the next attempt. */
export const tooManyFailures = (seconds: number) =>
  new HttpProblem(429, 'TOO_MANY_REQUESTS', `Too many failed attempts: try again in ${seconds} seconds`, {
    'retry-after': String(seconds),
  });
export const unknownPath = () => new AppError('not_found', 'There is nothing at this path: see /docs or /openapi.json');

/** Seconds after which a client may retry. */
const RETRY_AFTER_S = '1';
/** All ways in which the control plane accepts credentials. The specification documents the first. */
const TOKEN_CHALLENGE = 'Basic realm="weir", Bearer realm="weir"';
const ADMIN_CHALLENGE = 'Basic realm="weir"';
/** Browsers ask the user for a password at a Basic challenge, and do nothing at this one. */
export const QUIET_CHALLENGE = 'Bearer realm="weir"';

interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Said {
  message: string;
  code: string;
  details?: ErrorDetails;
  /** Keys at the top level of the body: a refused publish shows its test results there (ruling 5). They come last, as they are long. */
  extra?: ErrorDetails;
}

const RENDER: Record<ErrorForm, { contentType: string; body: (said: Said) => string }> = {
  json: {
    contentType: 'application/json; charset=utf-8',
    body: ({ message, code, details, extra }) =>
      JSON.stringify({ message, error: message, code, ...(details && { details }), ...extra }),
  },
  msg: { contentType: 'application/json; charset=utf-8', body: ({ message }) => JSON.stringify({ msg: message }) },
  text: { contentType: 'text/plain; charset=utf-8', body: ({ message }) => `${message}\n` },
};

/** Status, headers and body of an error, in the form of its area. */
export function errorAnswer(error: AppError | HttpProblem, area: Area): ErrorAnswer {
  const { errors } = AREA_RULES[area];
  const { status, name } =
    error instanceof HttpProblem ? { status: error.status, name: error.code } : statusOf(error.code, area);
  const { contentType, body } = RENDER[errors];
  return {
    status,
    headers: { ...headersOf(error, area, status), 'content-type': contentType },
    body: body({ message: error.message, code: name, ...shownDetails(error) }),
  };
}

function headersOf(error: AppError | HttpProblem, area: Area, status: number): Record<string, string> {
  if (error instanceof HttpProblem) return error.headers;
  if (status === 503 || status === 429) return { 'retry-after': RETRY_AFTER_S };
  if (status !== 401) return {};
  return { 'www-authenticate': challengeOf(area) };
}

function challengeOf(area: Area): string {
  if (area === 'console' || area === 'sign-in') return QUIET_CHALLENGE;
  return AREA_RULES[area].scheme === 'token' ? TOKEN_CHALLENGE : ADMIN_CHALLENGE;
}

/** Shows details only if the caller can fix the error (wire-facts 0.3). */
function shownDetails(error: AppError | HttpProblem): Pick<Said, 'details' | 'extra'> {
  if (!error.details) return {};
  if (error.code === 'tests_failed') return { extra: error.details };
  if (error.code === 'conflict') return takenBy(error.details);
  if (error.code === 'invalid' || error instanceof HttpProblem) return { details: error.details };
  return {};
}

/** The only detail of a conflict that a caller sees: the id of its own object that has the name. */
function takenBy({ existingId }: ErrorDetails): Pick<Said, 'details'> {
  return typeof existingId === 'string' ? { details: { existingId } } : {};
}
