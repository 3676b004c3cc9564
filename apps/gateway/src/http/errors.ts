import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { AppError, isAppError } from '@weir/contracts';
import { isDatabaseAway } from '@weir/messaging';
import { isLingering, lingerOn } from './linger.js';
import { areaOf, pathOf, type Reply, type Request } from './request.js';
import { AllowedMethods } from './routes.js';
import { isScript } from './session-cookie.js';
import {
  errorAnswer,
  HttpProblem,
  methodNotAllowed,
  QUIET_CHALLENGE,
  unknownPath,
  unsupportedMediaType,
} from './status.js';

/** Answer to a temporary fault. */
const TRY_AGAIN = 'A service that this request needs is not reachable. Try again';
const INTERNAL = 'Something went wrong. The error is logged under the x-request-id of this answer';

/** Refusals of Fastify and Nest, by status. Their own messages are written for developers of a server, not for its callers. */
const REFUSALS: Record<number, () => AppError | HttpProblem> = {
  400: () => new AppError('invalid', 'The request is malformed: check the encoding of its path'),
  404: unknownPath,
  414: unknownPath,
  415: unsupportedMediaType,
  503: () => new AppError('unavailable', TRY_AGAIN),
};

/** Converts any thrown value to an error that HTTP can express. Its message never shows internals. */
export function toProblem(thrown: unknown): AppError | HttpProblem {
  if (isAppError(thrown)) return withoutInternals(thrown);
  if (thrown instanceof HttpProblem) return thrown;
  if (!(thrown instanceof Error)) return new AppError('internal', INTERNAL);
  if (thrown instanceof HttpException) return fromStatus(thrown.getStatus());
  if (isDatabaseAway(thrown)) return new AppError('unavailable', TRY_AGAIN, undefined, { cause: thrown });
  const status: unknown = Reflect.get(thrown, 'statusCode');
  return fromStatus(typeof status === 'number' ? status : 500);
}

/** A service's `internal` may say how it failed. Only the log shows that. */
function withoutInternals(error: AppError): AppError {
  return error.code === 'internal' ? new AppError('internal', INTERNAL, undefined, { cause: error }) : error;
}

function fromStatus(status: number): AppError | HttpProblem {
  const refusal = REFUSALS[status];
  if (refusal) return refusal();
  if (status < 400 || status >= 500) return new AppError('internal', INTERNAL);
  return new HttpProblem(status, `HTTP_${status}`, STATUS_CODES[status] ?? 'The request is refused');
}

/** Turns every thrown error into an answer. */
export class ErrorResponder {
  /** Routes that the router knows, to answer 405 instead of 404. */
  readonly allowed = new AllowedMethods();
  private readonly logger = new Logger('Errors');

  respond(thrown: unknown, request: Request, reply: Reply): void {
    const problem = toProblem(thrown);
    const { status, headers, body } = errorAnswer(problem, areaOf(request));
    if (headers['www-authenticate'] !== undefined && isScript(request)) headers['www-authenticate'] = QUIET_CHALLENGE;
    if (status >= 500) this.report(thrown, request, status);
    void reply.status(status).headers(headers).send(body);
  }

  /** Answers 405 if the path has other methods, and 404 otherwise. */
  respondNoRoute(request: Request, reply: Reply): void {
    const methods = this.allowed.of(pathOf(request));
    this.respond(methods.length > 0 ? methodNotAllowed(methods) : unknownPath(), request, reply);
  }

  private report(thrown: unknown, request: Request, status: number): void {
    const { stack, message, cause } = thrown instanceof Error ? thrown : new Error(String(thrown));
    const because = cause instanceof Error ? `; because: ${cause.message}` : '';
    const route = `${request.method} ${request.routeOptions.url ?? pathOf(request)}`;
    this.logger.error(`${route} answered ${status} [${request.id}]: ${message}${because}`, stack);
  }
}

/** Passes errors of handlers, guards and Nest to the responder. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorResponder) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const reply = http.getResponse<Reply>();
    if (request.is404) this.errors.respondNoRoute(request, reply);
    else this.errors.respond(thrown, request, reply);
  }
}

/** Keyed by the error code of Node's parser. All other errors mean malformed HTTP. */
const PROBLEMS: Record<string, HttpProblem> = {
  HPE_HEADER_OVERFLOW: new HttpProblem(431, 'HEADERS_TOO_LARGE', 'The request line and headers are larger than 16 KiB'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpProblem(
    413,
    'PAYLOAD_TOO_LARGE',
    'The chunk extensions are larger than 16 KiB',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time'),
};
const MALFORMED = new AppError('invalid', 'The request is not valid HTTP/1.1');

/** Answers input that is not an HTTP request, and so reached neither a route nor the framework. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // Already answered. Discards the rest, which is mostly not HTTP either.
  if (isLingering(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = errorAnswer(PROBLEMS[error.code ?? ''] ?? MALFORMED, 'public');
  const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  lingerOn(socket);
}
