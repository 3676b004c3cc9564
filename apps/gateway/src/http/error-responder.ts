import { Logger } from '@nestjs/common';
import { AllowedMethods } from './allowed-methods.js';
import { errorAnswer } from './error-answer.js';
import { methodNotAllowed, unknownPath } from './problem.js';
import { areaOf, pathOf, type Reply, type Request } from './request.js';
import { toProblem } from './to-problem.js';

/** Turns every thrown error into an answer. */
export class ErrorResponder {
  /** Routes that the router knows, to answer 405 instead of 404. */
  readonly allowed = new AllowedMethods();
  private readonly logger = new Logger('Errors');

  respond(thrown: unknown, request: Request, reply: Reply): void {
    const problem = toProblem(thrown);
    const { status, headers, body } = errorAnswer(problem, areaOf(request));
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
