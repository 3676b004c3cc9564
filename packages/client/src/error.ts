/** The body of a refused request's answer. */
export interface WeirErrorFields {
  status: number;
  code: string;
  message: string;
  details?: Readonly<Record<string, unknown>> | undefined;
  requestId?: string | undefined;
  body?: unknown;
}

/** `code` of a request that got no answer: the server could not be reached, or the connection broke. */
export const NO_ANSWER = 'NO_ANSWER';

/** A request that Weir refused, or that got no answer. Calls return it as a value, and iterators throw it. */
export class WeirError extends Error {
  override readonly name = 'WeirError';
  /** Status of the answer, or 0 if there was none. */
  readonly status: number;
  /** For programs, such as `NOT_FOUND`. Without an answer it is `NO_ANSWER`. */
  readonly code: string;
  /** Problems by field, such as `{ "users[0].userId": "is required" }`. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** `x-request-id` of the answer. The server logs it with what went wrong. */
  readonly requestId: string | undefined;
  /** The whole body, which holds more for some codes: `validationOutput` with `TESTS_FAILED`. */
  readonly body: unknown;

  constructor({ status, code, message, details, requestId, body }: WeirErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.body = body;
  }
}

/** The error of an answer. `/schemas/*` has its sentence in `msg`, the intake answers plain text, and a proxy anything. */
export function errorOf(response: Response, body: unknown): WeirError {
  const { status, statusText, headers } = response;
  const { message, msg, code, details }: Record<string, unknown> = isRecord(body) ? body : { message: body };
  const isPage = /html/i.test(headers.get('content-type') ?? '');
  const told = isPage ? undefined : (message ?? msg);
  return new WeirError({
    status,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    message:
      typeof told === 'string' && told.trim() ? told.trim() : `The server answered ${status} ${statusText}`.trim(),
    details: isRecord(details) ? details : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    body,
  });
}

/** The error of a request that got no answer. An abort by the caller is not an error of Weir, and is thrown as it is. */
export function noAnswer(url: string, thrown: unknown, signal?: AbortSignal | null): WeirError {
  if (signal?.aborted) throw thrown;
  if (thrown instanceof SyntaxError) {
    const message = `${url} does not answer as Weir does: its answer is not JSON`;
    return new WeirError({ status: 0, code: NO_ANSWER, message }, { cause: thrown });
  }
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const reason = cause instanceof Error && cause.message ? `: ${cause.message}` : '';
  const message = `${url} did not answer${reason}`;
  return new WeirError({ status: 0, code: NO_ANSWER, message }, { cause: thrown });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
