import { Ksuid } from './ids.js';

/**
 * Every way in which a Weir service refuses or fails. Match on the code and never on the class, because errors cross processes.
 */
export const ERROR_CODES = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'precondition_failed',
  'disabled',
  'unsupported',
  'tests_failed',
  'too_large',
  'rate_limited',
  'timeout',
  'unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
export type ErrorDetails = Record<string, unknown>;

/** The wire form of an {@link AppError}. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
}

/** An expected refusal or failure. The message addresses the caller. It says what to change and never holds a secret. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ErrorDetails,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  toBody(): ErrorBody {
    return { code: this.code, message: this.message, ...(this.details && { details: this.details }) };
  }

  static fromBody(body: ErrorBody): AppError {
    return new AppError(body.code, body.message, body.details);
  }
}

/** Checks name and code, because `instanceof` fails across module realms (jest) and across copies of a package. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && value.name === 'AppError' && 'code' in value;
}

export function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Partial<ErrorBody>;
  return typeof message === 'string' && ERROR_CODES.includes(code as ErrorCode);
}

export const notFound = (what: string) => new AppError('not_found', `${what} not found`);
/** Reports that a new object cannot have this name. Clients that make a create again find what the first one made. */
export const nameTaken = (what: string, existingId: string) =>
  new AppError('conflict', `A ${what} with this name already exists in the workspace`, { existingId });
/** Reports an invalid field of a body or query. `field` is its path as the caller wrote it. */
export const invalidField = (field: string, problem: string) =>
  new AppError('invalid', `${field} ${problem}`, { [field]: problem });

/**
 * Reports an id in a body that names nothing in the caller's workspace (ruling 26). The field is the only key of the details. The
 * message repeats only valid ids, because other text could be a user's identifier.
 */
export const unknownId = (field: string, what: string, id: string) =>
  invalidField(field, `has no ${what} ${Ksuid.safeParse(id).success ? id : 'with that id'}`);

/** Whether the service that was asked, or what it needs, is away. Another question to it would fare no better. */
export const isAway = (error: unknown): boolean =>
  isAppError(error) && (error.code === 'unavailable' || error.code === 'timeout');
