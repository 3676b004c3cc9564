import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { ErrorResponder } from './error-responder.js';
import type { Reply, Request } from './request.js';

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
