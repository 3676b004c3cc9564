import { STATUS_CODES } from 'node:http';
import {
  AppError,
  type ErrorCode,
  isAppError,
  notFound,
  ROLES,
  type RoleName,
  ValidationOutput,
} from '@weir/contracts';
import { z } from 'zod';
import type { ApiSpec } from '../http/api.js';
import { AREA_RULES, type ErrorForm, type Scheme } from '../http/areas.js';
import { requireRole, rolesOf } from '../http/roles.js';
import { FOREIGN_PAGE } from '../http/session-cookie.js';
import { errorAnswer, HttpProblem, statusOf, unsupportedMediaType } from '../http/status.js';
import { parseBody, parseParams, parseQuery } from '../http/validate.js';
import { refusals } from '../intake/refusals.js';
import type { Components, JsonSchema } from './schemas.js';

const ControlPlaneError = z
  .object({
    message: z.string().meta({ description: 'The fault and its remedy, in one sentence' }),
    error: z.string().meta({ description: 'Same as message' }),
    code: z.string().meta({ description: 'For programs. Fixed for a kind of error, such as NOT_FOUND' }),
    details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Problems by field' }),
    validationOutput: ValidationOutput.optional().meta({ description: 'With TESTS_FAILED: the results of the tests' }),
  })
  .meta({ id: 'Error' });
const SchemaError = z.object({ msg: z.string() }).meta({ id: 'SchemaError' });

const FORMS: Record<ErrorForm, { contentType: string; schema: z.ZodType; prefix: string }> = {
  json: { contentType: 'application/json', schema: ControlPlaneError, prefix: '' },
  msg: { contentType: 'application/json', schema: SchemaError, prefix: 'Schemas' },
  text: { contentType: 'text/plain', schema: z.string(), prefix: 'Intake' },
};

const MISSING_CREDENTIALS: Record<Scheme, AppError> = {
  token: new AppError('unauthenticated', 'Invalid Authorization Header'),
  admin: new AppError('unauthenticated', 'Basic auth credentials missing'),
  'token-or-admin': new AppError('unauthenticated', 'Basic auth credentials missing'),
  'write-key': refusals.invalidWriteKey(),
  none: new AppError('unauthenticated', 'Invalid Authorization Header'),
};

/** A typical refusal of each code that has no better example. */
const TYPICAL: Record<Exclude<ErrorCode, 'invalid' | 'unauthenticated' | 'forbidden' | 'not_found'>, string> = {
  conflict: 'Another request changed this at the same time, or the name is taken',
  precondition_failed: 'The object has changed: read it again and send its new entity tag',
  disabled: 'source is disabled',
  unsupported: 'This is not possible with the current configuration',
  tests_failed: 'Revisions failed their tests: nothing was published',
  too_large: 'The body is larger than this path takes',
  rate_limited: 'Too many requests: try again when Retry-After says so',
  timeout: 'A service did not answer in time. Try again',
  unavailable: 'A service that this request needs is not reachable. Try again',
  internal: 'Something went wrong. The error is logged under the x-request-id of this answer',
};

type Refusal = AppError | HttpProblem;

/** Responses by status, from the guards and checks of the route. Equal ones are shared. */
export function refusalsOf(api: ApiSpec, components: Components): Record<string, JsonSchema> {
  const byStatus = new Map<number, Refusal[]>();
  for (const refusal of [...errorCodesOf(api).map((code) => exampleOf(code, api)), ...ofHttp(api)]) {
    const status = refusal instanceof HttpProblem ? refusal.status : statusOf(refusal.code, api.area).status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => [String(status), responseOf(status, all, api, components)]),
  );
}

/** All refusals of a route. */
function errorCodesOf(api: ApiSpec): ErrorCode[] {
  const codes: ErrorCode[] = [];
  // Paths that cannot be decoded are invalid too.
  if (api.params ?? api.query ?? api.body ?? api.headers) codes.push('invalid');
  if (api.access !== 'none') codes.push('unauthenticated', 'rate_limited');
  if (refusedRole(api)) codes.push('forbidden');
  if (api.params) codes.push('not_found');
  if (api.body) codes.push('too_large');
  return [...new Set([...codes, ...(api.errors ?? []), 'internal' as const])];
}

/** The first role that may not call the route. Undefined if every role may, or none is asked for. */
function refusedRole(api: ApiSpec): RoleName | undefined {
  const roles = rolesOf(api);
  return roles && ROLES.toReversed().find((role) => !roles.includes(role));
}

/** Refusals of bodies by HTTP itself: slow bodies, and anything but JSON. */
function ofHttp({ body, area }: ApiSpec): HttpProblem[] {
  if (!body) return [];
  const slow = new HttpProblem(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time');
  return [slow, area === 'intake' ? refusals.unknownEncoding() : unsupportedMediaType()];
}

function exampleOf(code: ErrorCode, api: ApiSpec): AppError {
  switch (code) {
    case 'unauthenticated':
      return MISSING_CREDENTIALS[AREA_RULES[api.area].scheme];
    case 'forbidden':
      if (!rolesOf(api)) return new AppError('forbidden', FOREIGN_PAGE);
      return refusalBy(() => requireRole(refusedRole(api) ?? 'read', api.area, api.access));
    case 'not_found':
      return missing(api);
    case 'invalid':
      return api.area === 'intake' ? refusals.invalidJson() : invalidInput(api);
    default:
      return new AppError(code, TYPICAL[code]);
  }
}

const NOT_FOUND = notFound('object');
/** The real answer of this route to a malformed id. */
const missing = ({ params }: ApiSpec): AppError =>
  params
    ? refusalBy(() =>
        parseParams(
          params,
          mapValues(params.shape, () => ''),
        ),
      )
    : NOT_FOUND;
const BAD_PATH = new AppError('invalid', 'The request is malformed: check the encoding of its path');

/** The real answer of this route to an empty body or an unknown parameter. */
function invalidInput({ body, query, isQueryOpen }: ApiSpec): AppError {
  if (body && !body.safeParse({}).success) return refusalBy(() => parseBody(body, {}));
  if (query && !isQueryOpen) return refusalBy(() => parseQuery(query, { unknown: '1' }));
  return body ? refusalBy(() => parseBody(body, 'text')) : BAD_PATH;
}

/** The error that a check throws. */
function refusalBy(check: () => unknown): AppError {
  try {
    check();
  } catch (error) {
    if (isAppError(error)) return error;
  }
  return NOT_FOUND;
}

function responseOf(status: number, refused: readonly Refusal[], api: ApiSpec, components: Components): JsonSchema {
  const { contentType, schema, prefix } = FORMS[AREA_RULES[api.area].errors];
  const form = status === 400 && api.refusal ? z.union([schema, api.refusal]) : schema;
  const response = {
    description: refused.map(meaningOf).join(', or '),
    ...((status === 429 || status === 503) && { headers: { 'Retry-After': RETRY_AFTER } }),
    content: { [contentType]: { schema: components.of(form, 'output'), ...examplesOf(refused, api) } },
  };
  // Each route words its own 400.
  if (status === 400) return response;
  return components.response(prefix + pascal(refused.map((one) => nameOf(one, status, api)).join(' or ')), response);
}

/** The start of its sentence, up to the advice. */
const meaningOf = ({ code, message }: Refusal): string =>
  code === 'invalid' ? 'The request is not as described' : (message.split(/[.:;] /, 1)[0] ?? message);

/** Responses with the same name have the same example. */
function nameOf({ code, message }: Refusal, status: number, { area, access }: ApiSpec): string {
  if (code === 'not_found') return message;
  if (code === 'forbidden') return `${area} ${access} forbidden`;
  if (code === 'unauthenticated') return `${AREA_RULES[area].scheme} unauthenticated`;
  return code === code.toLowerCase() ? code : (STATUS_CODES[status] ?? code);
}

const RETRY_AFTER = { description: 'Seconds to wait before the next attempt', schema: { type: 'integer' } };

function examplesOf([first, ...rest]: readonly Refusal[], api: ApiSpec): JsonSchema {
  const bodyOf = (refusal: Refusal): unknown => {
    const { body } = errorAnswer(refusal, api.area);
    return AREA_RULES[api.area].errors === 'text' ? body : JSON.parse(body);
  };
  if (!first) return {};
  if (rest.length === 0) return { example: bodyOf(first) };
  return { examples: Object.fromEntries([first, ...rest].map((one) => [one.code, { value: bodyOf(one) }])) };
}

const mapValues = (shape: object, value: () => string) =>
  Object.fromEntries(Object.keys(shape).map((key) => [key, value()]));

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .slice(0, NAME_WORDS_MAX)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
/** Keeps names short, even for long messages. */
const NAME_WORDS_MAX = 8;
