import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiSpec } from './api.js';
import { type Area, areaOfPath } from './areas.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The annotation of the route (`@Api`). */
    api?: ApiSpec;
  }
}

export type Request = FastifyRequest;
export type Reply = FastifyReply;

/** Path of a request without its query string. */
export const pathOf = (request: Request): string => request.url.split('?', 1)[0] ?? '/';

/** The area that decides the form of a request's errors, even if the request reached no route. */
export const areaOf = (request: Request): Area =>
  request.routeOptions?.config?.api?.area ?? areaOfPath(pathOf(request));
