import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ErrorCode } from '@weir/contracts';
import type { z } from 'zod';
import type { Area } from './areas.js';

/**
 * The permission that a token's role must grant in the area (architecture section 6). `samples` shows events of users, `audit` who
 * did what, `whoami` the token's own workspace, and `session` the caller's own sign-ins. The admin pair and write keys have no roles.
 */
export type Access = 'read' | 'write' | 'test' | 'samples' | 'audit' | 'tokens' | 'whoami' | 'session' | 'none';

/** Describes one route. The same annotation drives checks and documentation. */
export interface ApiSpec<Reply extends z.ZodType = z.ZodType> {
  summary: string;
  description?: string;
  area: Area;
  access: Access;
  /** Documentation for a route that takes other credentials than its area. Names security schemes of the document. */
  security?: readonly Record<string, string[]>[];
  /** Path parameters. A value that does not parse is an unknown id: 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers of this route only. Documentation: the handler checks them. */
  headers?: z.ZodObject;
  /** Whether to accept query parameters beyond `query`. Defaults to the area's rule. */
  isQueryOpen?: boolean;
  /** JSON body. Without it, the route neither reads nor refuses a body. */
  body?: z.ZodType;
  /** Documentation for a body whose fields are all optional. The route itself refuses a missing or empty body. */
  needsBody?: boolean;
  reply: Reply;
  /** Whether the answer has an `ETag`: of the whole `answer`, or of an `object` beside which it shows more, so that it never gets 304. */
  etag?: 'answer' | 'object';
  /** Default 200. */
  status?: number;
  /** Second possible status of the reply. */
  otherStatus?: number;
  /** Documents a 400 with a special form, which some checks of this route answer. */
  refusal?: z.ZodType;
  /** Refusals beyond those that every route of the area may answer. */
  errors?: readonly ErrorCode[];
}

const API = 'weir:api';

/** A handler may take anything. Its result must fit the reply. */
type Handler<Reply extends z.ZodType> = (...args: never[]) => z.input<Reply> | Promise<z.input<Reply>>;

/** Annotates a route. A route without it is refused at run time and fails `routes.spec.ts`. */
export function Api<Reply extends z.ZodType>(spec: ApiSpec<Reply>) {
  return applyDecorators(
    SetMetadata(API, spec),
    // Fastify's hooks and error paths see only the route's configuration, never the handler.
    RouteConfig({ api: spec }),
    HttpCode(spec.status ?? 200),
  ) as <H extends Handler<Reply>>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<H>) => void;
}

/** The annotation of a handler, if it has one. */
export function apiOf(handler: object): ApiSpec | undefined {
  return Reflect.getMetadata(API, handler) as ApiSpec | undefined;
}
