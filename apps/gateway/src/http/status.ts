import type { ErrorCode } from '@weir/contracts';
import type { Area } from './areas.js';

export interface StatusOf {
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
