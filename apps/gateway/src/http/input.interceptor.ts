import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { type ApiSpec, apiOf } from './api.js';
import { parseJsonBody } from './json-body.js';
import { unsupportedEncoding, unsupportedMediaType } from './problem.js';
import type { Request } from './request.js';
import { parseBody, parseParams, parseQuery } from './validate.js';

/**
 * Replaces params, query and body of a request by what the route's schemas make of them, so that `@Param()`, `@Query()`
 * and `@Body()` hand out checked values. Runs after the guards: who may not call learns nothing about bodies.
 */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const api = apiOf(context.getHandler());
    const request = context.switchToHttp().getRequest<Request>();
    if (api) checkInput(api, request);
    return next.handle();
  }
}

export function checkInput(api: ApiSpec, request: Request): void {
  request.params = api.params ? parseParams(api.params, request.params) : {};
  request.query = api.query ? parseQuery(api.query, request.query as Record<string, unknown>) : {};
  request.body = api.body ? parseBody(api.body, readJson(request)) : undefined;
}

/** The content parser left the bytes alone; no body at all is for the schema to judge. */
function readJson(request: Request): unknown {
  const bytes = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  const { 'content-type': type = 'application/json', 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') throw unsupportedEncoding();
  if (!isJson(type)) throw unsupportedMediaType();
  return parseJsonBody(bytes);
}

function isJson(contentType: string): boolean {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}
