import { AppError, type ErrorDetails } from '@weir/contracts';

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
